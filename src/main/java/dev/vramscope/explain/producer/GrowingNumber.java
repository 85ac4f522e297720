package dev.vramscope.explain.producer;

import dev.vramscope.evidence.Quantity;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of the memory that a program prints again and again, and that grows: what is kept from
 * step to step is a leak. Maxima only ever grow, and say nothing.
 *
 * @param name as the log has it
 * @param first its first value, with the unit of the log if it has one
 * @param last its last value
 * @param count how often it is printed
 */
public record GrowingNumber(String name, String first, String last, int count) {
  /** A name of memory, a value, and perhaps a unit. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "(?i)\\b([a-z_./ ]{0,30}(?:mem|alloc|vram|reserved)[a-z_./]{0,20}?)[=: ]{1,3}"
              + "([0-9]{1,9}(?:\\.[0-9]{1,6})?) ?([KMGT]i?B?|bytes|%)?(?![0-9a-z])");

  private static final Pattern MAXIMUM = Pattern.compile("(?i)max|peak|total|limit|capacity|free");

  private static final int LEAST = 5;
  private static final double LEAST_GROWTH = 1.4;

  /** Of the steps from one value to the next, so many may go down. */
  private static final double MOST_DOWN = 0.1;

  private static final int MOST_NAMES = 200;

  /** The values of one name. */
  private static final class Series {
    private String first = "";
    private String last = "";
    private double firstValue;
    private double lastValue;
    private double most;
    private int count;
    private int down;

    void add(double value, String written) {
      if (count == 0) {
        first = written;
        firstValue = value;
      } else if (value < lastValue) {
        down++;
      }
      count++;
      last = written;
      lastValue = value;
      most = Math.max(most, value);
    }

    boolean isGrowing() {
      return count >= LEAST
          && firstValue > 0
          && lastValue >= LEAST_GROWTH * firstValue
          && lastValue >= 0.95 * most
          && down <= MOST_DOWN * count;
    }
  }

  /** The number that a log has most often of those that grow. */
  static Optional<GrowingNumber> in(String text) {
    Map<String, Series> all = new LinkedHashMap<>();
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (line.length() > 1000 || !mayHaveOne(line)) {
        continue;
      }
      Matcher number = NUMBER.matcher(line);
      while (number.find()) {
        String name = number.group(1).strip();
        String unit = number.group(3) == null ? "" : number.group(3);
        String key = name.toLowerCase(Locale.ROOT) + " " + unit;
        if (MAXIMUM.matcher(name).find() || (all.size() >= MOST_NAMES && !all.containsKey(key))) {
          continue;
        }
        String written = number.group(2) + (unit.isEmpty() ? "" : " " + unit);
        double value = Double.parseDouble(number.group(2));
        // Units differ from line to line where a program chooses the one that fits.
        double bytes =
            unit.isEmpty() || unit.equals("%")
                ? value
                : Quantity.of(number.group(2), unit)
                    .map(Quantity::bytes)
                    .map(Long::doubleValue)
                    .orElse(value);
        all.computeIfAbsent(
                unit.isEmpty() || unit.equals("%") ? key : name.toLowerCase(Locale.ROOT),
                _ -> new Series())
            .add(bytes, written);
      }
    }
    return all.entrySet().stream()
        .filter(each -> each.getValue().isGrowing())
        .max(Comparator.comparingInt(each -> each.getValue().count))
        .map(
            each ->
                new GrowingNumber(
                    each.getKey().strip(),
                    each.getValue().first,
                    each.getValue().last,
                    each.getValue().count));
  }

  private static boolean mayHaveOne(String line) {
    String lower = line.toLowerCase(Locale.ROOT);
    return (lower.contains("mem")
            || lower.contains("alloc")
            || lower.contains("vram")
            || lower.contains("reserved"))
        && !lower.contains("out of memory");
  }
}
