package dev.vramscope.explain.reading;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;

/** Collects the fields of one message from a part of a text. */
final class MessageFields {
  /** The most fields of a list: a page shows no more. */
  private static final int MAX_ENTRIES = 200;

  private record Entry(int start, Field field) {}

  private final String text;
  private final int start;
  private final int end;
  private final boolean isTruncated;
  private final List<Entry> entries = new ArrayList<>();

  MessageFields(String text, int start, int end, boolean isTruncated) {
    this.text = text;
    this.start = start;
    this.end = end;
    this.isTruncated = isTruncated;
  }

  void words(FieldName name, FieldPattern pattern) {
    Matcher matcher = matcher(pattern);
    if (matcher.find()) {
      int group = 1;
      while (matcher.group(group) == null) {
        group++;
      }
      addWords(name, matcher.start(group), matcher.group(group));
    }
  }

  void bytes(FieldName name, FieldPattern pattern) {
    Matcher matcher = matcher(pattern);
    if (matcher.find()) {
      int group = 1;
      while (matcher.group(group) == null) {
        group += 2;
      }
      addBytes(name, "", matcher, group);
    }
  }

  void inUnit(FieldName name, FieldPattern pattern, String unit) {
    Matcher matcher = matcher(pattern);
    if (matcher.find()) {
      String number = matcher.group(1);
      entries.add(
          new Entry(
              matcher.start(1), new Field(name, "", number + " " + unit, quantity(number, unit))));
    }
  }

  void hexadecimal(FieldName name, FieldPattern pattern) {
    Matcher matcher = matcher(pattern);
    if (matcher.find()) {
      long bytes = Long.parseUnsignedLong(matcher.group(1), 16);
      entries.add(
          new Entry(
              matcher.start(1),
              new Field(
                  name,
                  "",
                  "0x" + matcher.group(1),
                  Optional.of(Quantity.exact(Math.max(0, bytes))))));
    }
  }

  /** As {@link #bytes}, unless the message has the field already. */
  void otherwise(FieldName name, FieldPattern pattern) {
    if (entries.stream().noneMatch(each -> each.field.name() == name)) {
      bytes(name, pattern);
    }
  }

  void each(FieldName name, FieldPattern pattern) {
    Matcher matcher = matcher(pattern);
    Largest largest = new Largest();
    while (matcher.find()) {
      largest.add(entry(name, matcher.group(1), matcher, 2));
    }
    addAll(largest);
  }

  /** What the lists of a BFC dump add up to. */
  void lists() {
    for (Field field : BfcLists.fields(text, start, end)) {
      entries.add(new Entry(end, field));
    }
  }

  void count(FieldName name, FieldPattern pattern) {
    Matcher matcher = matcher(pattern);
    long count = 0;
    while (matcher.find()) {
      count++;
    }
    addWords(name, start, Long.toString(count));
  }

  void buffers(FieldPattern pattern) {
    Matcher matcher = matcher(pattern);
    Largest largest = new Largest();
    boolean isFound = matcher.find();
    while (isFound) {
      MatchResult size = matcher.toMatchResult();
      int from = matcher.end();
      isFound = matcher.find();
      String described = text.substring(from, isFound ? matcher.start() : end);
      largest.add(entry(FieldName.BUFFER, BufferText.of(described), size, 1));
    }
    addAll(largest);
  }

  /** The largest entries of a list, and how many there are besides. */
  private static final class Largest {
    private final PriorityQueue<Entry> entries =
        new PriorityQueue<>(Comparator.comparingLong(Largest::bytes));
    private long others;

    void add(Entry entry) {
      entries.add(entry);
      if (entries.size() > MAX_ENTRIES) {
        entries.remove();
        others++;
      }
    }

    private static long bytes(Entry entry) {
      return entry.field.quantity().map(Quantity::bytes).orElse(Long.MAX_VALUE);
    }
  }

  private void addAll(Largest largest) {
    entries.addAll(largest.entries);
    if (largest.others > 0) {
      addWords(FieldName.LEFT_OUT, end, Long.toString(largest.others));
    }
  }

  /** The fields in the order of the text. */
  List<Field> all() {
    return entries.stream()
        .sorted(Comparator.comparingInt(Entry::start))
        .map(Entry::field)
        .toList();
  }

  private Optional<Quantity> quantity(String number, String unit) {
    Optional<Quantity> rounded = Quantity.of(number, unit);
    return isTruncated ? rounded.map(Quantity::roundedDown) : rounded;
  }

  private Matcher matcher(FieldPattern pattern) {
    return pattern.matcher(text, start, end);
  }

  private void addWords(FieldName name, int at, String written) {
    entries.add(new Entry(at, new Field(name, "", written, Optional.empty())));
  }

  private void addBytes(FieldName name, String of, Matcher matcher, int group) {
    entries.add(entry(name, of, matcher, group));
  }

  /** A number in one group and its unit in the next. */
  private Entry entry(FieldName name, String of, MatchResult match, int group) {
    String number = match.group(group);
    String unit = match.group(group + 1);
    int at = match.start(group);
    return new Entry(at, new Field(name, of, written(match, group), quantity(number, unit)));
  }

  /** The number and its unit with the space that the text has between them, or has not. */
  private String written(MatchResult match, int group) {
    String rest = text.substring(match.end(group), match.end(group + 1));
    boolean isApart = !rest.isEmpty() && Character.isWhitespace(rest.charAt(0));
    return (match.group(group) + (isApart ? " " : "") + match.group(group + 1).strip()).strip();
  }
}
