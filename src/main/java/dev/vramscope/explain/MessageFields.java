package dev.vramscope.explain;

import dev.vramscope.evidence.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collects the fields of one message from a part of a text. */
final class MessageFields {
  /** The most fields of a list; a page shows no more. */
  private static final int MAX_ENTRIES = 200;

  private record Found(int start, Field field) {}

  private final String text;
  private final int start;
  private final int end;
  private final boolean isTruncated;
  private final List<Found> found = new ArrayList<>();

  MessageFields(String text, int start, int end, boolean isTruncated) {
    this.text = text;
    this.start = start;
    this.end = end;
    this.isTruncated = isTruncated;
  }

  void words(FieldName name, Pattern pattern) {
    Matcher matcher = matcher(pattern);
    if (matcher.find()) {
      addWords(name, matcher.start(1), matcher.group(1));
    }
  }

  void bytes(FieldName name, Pattern pattern) {
    Matcher matcher = matcher(pattern);
    if (matcher.find()) {
      int group = 1;
      while (matcher.group(group) == null) {
        group += 2;
      }
      addBytes(name, "", matcher, group);
    }
  }

  void each(FieldName name, Pattern pattern) {
    Matcher matcher = matcher(pattern);
    for (int i = 0; i < MAX_ENTRIES && matcher.find(); i++) {
      addBytes(name, matcher.group(1), matcher, 2);
    }
  }

  void count(FieldName name, Pattern pattern) {
    Matcher matcher = matcher(pattern);
    long count = 0;
    while (matcher.find()) {
      count++;
    }
    addWords(name, start, Long.toString(count));
  }

  void buffers(Pattern pattern) {
    Matcher matcher = matcher(pattern);
    boolean isFound = matcher.find();
    for (int i = 0; i < MAX_ENTRIES && isFound; i++) {
      int at = matcher.start(1);
      String number = matcher.group(1);
      String unit = matcher.group(2);
      int from = matcher.end();
      isFound = matcher.find();
      String described = text.substring(from, isFound ? matcher.start() : end);
      addBytes(FieldName.BUFFER, BufferText.of(described), at, number, unit);
    }
  }

  /** The fields in the order of the text. */
  List<Field> all() {
    return found.stream().sorted(Comparator.comparingInt(Found::start)).map(Found::field).toList();
  }

  private Optional<Quantity> quantity(String number, String unit) {
    Optional<Quantity> rounded = Quantity.of(number, unit);
    return isTruncated
        ? rounded.map(each -> each.plus(new Quantity(0, each.errorBytes())))
        : rounded;
  }

  private Matcher matcher(Pattern pattern) {
    return pattern.matcher(text).region(start, end);
  }

  private void addWords(FieldName name, int at, String written) {
    found.add(new Found(at, new Field(name, "", written, Optional.empty())));
  }

  private void addBytes(FieldName name, String of, Matcher matcher, int group) {
    addBytes(name, of, matcher.start(group), matcher.group(group), matcher.group(group + 1));
  }

  private void addBytes(FieldName name, String of, int at, String number, String unit) {
    String written = unit.isEmpty() ? number : number + " " + unit;
    found.add(new Found(at, new Field(name, of, written, quantity(number, unit))));
  }
}
