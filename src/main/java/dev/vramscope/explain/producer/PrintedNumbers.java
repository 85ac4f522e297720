package dev.vramscope.explain.producer;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The numbers about memory that a program prints in words of its own, such as {@code step 7: 31.2
 * GiB allocated}. A number that is printed again and again under one name is a series.
 */
final class PrintedNumbers {
  private static final MessageKind PRINTED =
      MessageKind.context(
          "printed-numbers",
          Memory.DEVICE,
          "The program",
          "numbers about memory that the program prints");

  private static final FieldName NUMBER = new FieldName("printed", "Printed by the program");

  /** A value, what it is a part of, and a unit. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(?<![\\w.,])([0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,12}(?:\\.[0-9]{1,6})?)"
              + "(?: ?(?:/|of) ?([0-9]{1,9}(?:\\.[0-9]{1,6})?))?"
              + "(?: ?([KMGT]i?B?|bytes|%))?(?![\\w/])");

  /** What a number is, where it is said after it. */
  private static final Pattern AFTER =
      Pattern.compile(
          "^ (?:GPU |CUDA |device )?(?:allocated|reserved|used|free|total|in"
              + " use|cached|peak|memory|VRAM|parameters|weights)\\b");

  private static final Pattern MEMORY =
      Pattern.compile("(?i)(?<![a-z])mem(?:ory)?(?![a-z])|alloc|vram|reserved");

  private static final Pattern STEP_NUMBER =
      Pattern.compile("((?:step|epoch|iter|iteration|batch|it)[ _:=#]{0,3})[0-9]+");

  /** Of which device or process a line is. */
  private static final Pattern PLACE =
      Pattern.compile("(?i)\\b(?:gpu|cuda|device|rank|worker)[ _:#]{0,2}[0-9]{1,4}\\b");

  /** What grows while a program starts is not kept from step to step. */
  private static final Pattern STARTING =
      Pattern.compile("(?i)load|shard|checkpoint|warm|captur|initiali[sz]");

  /** A name whose last words are of memory, not of a step that a number counts. */
  private static final Pattern NAME_OF_MEMORY =
      Pattern.compile(
          "(?i)(?:(?<![a-z])mem(?:ory)?(?![a-z])|alloc|vram|reserved)[^ ]{0,20}(?:"
              + " (?!step|epoch|iter|batch|rank|gpu\\b)[^ ]{1,20})?$");

  /** What else a program says the size of. */
  private static final Pattern SIZED =
      Pattern.compile(
          "(?i)mem|alloc|vram|reserved|param|weight|cache|optim|activ|grad|peak|gpu|\\btotal\\b|\\bfree\\b");

  /** What PyTorch's own message says has its own fields; tables have other columns. */
  private static final Pattern OTHER_LINES =
      Pattern.compile("(?i)out of memory|tried to allocate|^\\s{0,9}[|+]|^\\s{0,9}File \"");

  /** Maxima only ever grow, and say nothing. */
  private static final Pattern MAXIMUM = Pattern.compile("(?i)max|peak|total|limit|capacity|free");

  private static final String START = " at the start";

  private static final int LONGEST_LINE = 1000;
  private static final int LONGEST_NAME = 50;
  private static final int MOST_NAMES = 200;

  /** So many fields are read at a glance. */
  private static final int MOST_FIELDS = 12;

  private static final int LEAST_VALUES = 5;
  private static final double LEAST_GROWTH = 1.4;

  /** Of the steps from one value to the next, so many may go down. */
  private static final double MOST_DOWN = 0.1;

  /**
   * A value as the log has it.
   *
   * @param line from 1
   * @param quantity empty for a number without a unit
   */
  private record Value(int line, String written, double amount, Optional<Quantity> quantity) {}

  /** The values of one name. */
  private static final class Series {
    private final String name;
    private final boolean isOfStart;
    private final List<Value> values = new ArrayList<>();
    private double most;
    private int down;

    Series(String name, boolean isOfStart) {
      this.name = name;
      this.isOfStart = isOfStart;
    }

    void add(Value value) {
      if (!values.isEmpty() && value.amount < values.getLast().amount) {
        down++;
      }
      most = Math.max(most, value.amount);
      values.add(value);
    }

    boolean isGrowing() {
      double first = values.getFirst().amount;
      double last = values.getLast().amount;
      return values.size() >= LEAST_VALUES
          && !isOfStart
          && MEMORY.matcher(name).find()
          && !MAXIMUM.matcher(name).find()
          && first > 0
          && last >= LEAST_GROWTH * first
          && last >= 0.95 * most
          && down <= MOST_DOWN * values.size();
    }

    /** The last value above a line. */
    Optional<Value> before(int line) {
      return values.reversed().stream().filter(value -> value.line < line).findFirst();
    }
  }

  private final Map<String, Series> all = new LinkedHashMap<>();

  private PrintedNumbers() {}

  static PrintedNumbers of(String text) {
    PrintedNumbers numbers = new PrintedNumbers();
    int line = 0;
    for (String each : (Iterable<String>) text.lines()::iterator) {
      line++;
      if (each.length() <= LONGEST_LINE
          && SIZED.matcher(each).find()
          && !OTHER_LINES.matcher(each).find()) {
        numbers.add(each, line);
      }
    }
    return numbers;
  }

  private void add(String text, int line) {
    Matcher device = PLACE.matcher(text);
    String place = device.find() ? " of " + device.group().toLowerCase(Locale.ROOT) : "";
    boolean isOfStart = STARTING.matcher(text).find();
    Matcher value = VALUE.matcher(text);
    int from = 0;
    while (value.find()) {
      Matcher after = AFTER.matcher(text).region(value.end(), text.length());
      String name = name(text.substring(from, value.start()));
      if (after.find()) {
        name = (name + " " + after.group().strip()).strip();
      }
      from = value.end();
      String unit = value.group(3) == null ? "" : value.group(3);
      boolean isMemory = NAME_OF_MEMORY.matcher(name).find();
      String series = isOfStart ? place + START : place;
      boolean isSize = unit.length() > 1 || (!unit.isEmpty() && isMemory);
      if (name.isEmpty() || !(isMemory || (isSize && !unit.equals("%")))) {
        continue;
      }
      add(name, series, unit, value.group(1), line);
      if (value.group(2) != null && isSize) {
        add(name + ", out of", series, unit, value.group(2), line);
      }
    }
  }

  private void add(String name, String place, String unit, String digits, int line) {
    boolean isRatio = unit.isEmpty() || unit.equals("%");
    String number = digits.replace(",", "");
    Optional<Quantity> quantity = isRatio ? Optional.empty() : Quantity.of(number, unit);
    // Units differ from line to line where a program chooses the one that fits.
    // Numbers of steps differ from line to line; those of devices and ranks are part of the name.
    String key =
        STEP_NUMBER.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("$1#")
            + place
            + (isRatio ? unit : " B");
    if (all.size() >= MOST_NAMES && !all.containsKey(key)) {
      return;
    }
    all.computeIfAbsent(key, _ -> new Series(name, place.endsWith(START)))
        .add(
            new Value(
                line,
                digits + (unit.isEmpty() ? "" : " " + unit),
                quantity.map(Quantity::bytes).map(Long::doubleValue).orElse(parsed(number)),
                quantity));
  }

  private static double parsed(String number) {
    return Double.parseDouble(number);
  }

  /** The last words before a number. */
  private static String name(String before) {
    int from = Math.max(before.lastIndexOf('|'), before.lastIndexOf(';'));
    String words = before.substring(1 + Math.max(from, before.lastIndexOf(']')));
    int end = words.length();
    while (end > 0 && !isEnd(words.charAt(end - 1))) {
      end--;
    }
    int start = Math.max(0, end - LONGEST_NAME);
    if (start > 0) { // At the beginning of a word.
      int space = words.indexOf(' ', start);
      start = space < 0 || space >= end ? start : space;
    }
    while (start < end && !isLetter(words.charAt(start))) {
      start++;
    }
    return words.substring(start, end);
  }

  private static boolean isLetter(char each) {
    return (each >= 'A' && each <= 'Z') || (each >= 'a' && each <= 'z');
  }

  private static boolean isEnd(char each) {
    return isLetter(each) || (each >= '0' && each <= '9') || "_%)".indexOf(each) >= 0;
  }

  /** The number that the log has most often of those that grow. */
  Optional<GrowingNumber> growth() {
    return all.values().stream()
        .filter(Series::isGrowing)
        .max(Comparator.comparingInt(series -> series.values.size()))
        .map(
            series ->
                new GrowingNumber(
                    series.name,
                    series.values.getFirst().written,
                    series.values.getLast().written,
                    series.values.size()));
  }

  /**
   * The sizes that are printed last above a failure, each the last of its name.
   *
   * @param messages of the failure: what they say is not repeated
   */
  Optional<LogMessage> above(int line, List<LogMessage> messages) {
    Set<Long> known =
        messages.stream()
            .flatMap(message -> message.fields().stream())
            .flatMap(field -> field.quantity().stream())
            .map(Quantity::bytes)
            .collect(Collectors.toSet());
    record Named(String name, Value value) {}
    List<Named> last =
        all.values().stream()
            .flatMap(
                series -> series.before(line).stream().map(value -> new Named(series.name, value)))
            .filter(
                each ->
                    each.value
                        .quantity
                        .filter(size -> size.bytes() > 0 && !known.contains(size.bytes()))
                        .isPresent())
            .sorted(Comparator.comparingInt(each -> -each.value.line))
            .limit(MOST_FIELDS)
            .sorted(Comparator.comparingInt(each -> each.value.line))
            .toList();
    return last.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new LogMessage(
                PRINTED,
                last.getFirst().value.line,
                1,
                last.stream()
                    .map(
                        each ->
                            new Field(NUMBER, each.name, each.value.written, each.value.quantity))
                    .toList()));
  }
}
