package dev.vramscope.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The values of a program's parameters in one run, such as batch 2 and length 512.
 *
 * @param byName whole numbers from 1 to {@link #MOST}; in the order in which they were given
 */
public record ParameterValues(Map<String, Long> byName) {
  /** More than any batch or length. */
  public static final long MOST = 1_000_000_000_000L;

  private static final int LONGEST_NAME = 40;
  private static final String NAME = "[A-Za-z][A-Za-z0-9_.-]*";

  public ParameterValues {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    byName.forEach(ParameterValues::check);
    if (byName.isEmpty()) {
      throw new IllegalArgumentException("there is no parameter");
    }
  }

  private static void check(String name, long value) {
    if (!name.matches(NAME) || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "'"
              + PlanChecks.elided(name)
              + "' is not the name of a parameter; use a letter, then letters, digits, '_', '-' and"
              + " '.'");
    }
    if (value < 1 || value > MOST) {
      throw new IllegalArgumentException(
          name + " is " + value + "; values are whole numbers from 1 to " + MOST);
    }
  }

  /** One parameter. */
  public static ParameterValues of(String name, long value) {
    return new ParameterValues(Map.of(name, value));
  }

  /**
   * Reads {@code batch=2,length=512}.
   *
   * @throws IllegalArgumentException with a message for the person who typed it
   */
  public static ParameterValues parse(String text) {
    Map<String, Long> values = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? "" : part.substring(0, equals).strip();
      String value = part.substring(equals + 1).strip();
      if (equals < 0 || !value.matches("[0-9]{1,13}")) {
        throw new IllegalArgumentException(
            "'"
                + PlanChecks.elided(part.strip())
                + "' is not a parameter and a whole number, such as batch=2");
      }
      if (values.put(name, Long.parseLong(value)) != null) {
        throw new IllegalArgumentException("'" + PlanChecks.elided(name) + "' is given twice");
      }
    }
    return new ParameterValues(values);
  }

  /** The names, in the order in which they were given. */
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** The value of a parameter that exists. */
  public long get(String name) {
    Long value = byName.get(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no parameter '" + name + "'");
    }
    return value;
  }

  /** The same with another value of one parameter. */
  public ParameterValues with(String name, long value) {
    Map<String, Long> changed = new LinkedHashMap<>(byName);
    changed.put(name, value);
    return new ParameterValues(changed);
  }

  /** The same values, in the order of some names. */
  double[] inOrder(List<String> names) {
    return names.stream().mapToDouble(this::get).toArray();
  }

  /** Such as {@code batch=2,length=512}, which {@link #parse} reads. */
  public String text() {
    return byName.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(","));
  }

  /** Such as {@code batch 2, length 512}. */
  public String label() {
    return byName.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
