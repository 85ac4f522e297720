package dev.vramscope.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The {@code KEY=VALUE} lines of a case's {@code config.txt}.
 *
 * @param source the file name for messages
 */
public record ReplayConfig(String source, Map<String, String> values) {
  public static final ReplayConfig EMPTY = new ReplayConfig("no configuration", Map.of());

  public ReplayConfig {
    values = Map.copyOf(values);
  }

  public static ReplayConfig read(Path file) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    int number = 0;
    for (String line : TraceInput.lines(file)) {
      number++;
      int equals = line.indexOf('=');
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (equals <= 0) {
        throw new InputException(
            file
                + ":"
                + number
                + ": '"
                + line
                + "' is not a setting; a line looks like KEY=VALUE.");
      }
      values.put(line.substring(0, equals), line.substring(equals + 1));
    }
    return new ReplayConfig(file.toString(), values);
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  @Nullable String get(String key) {
    return values.get(key);
  }

  String get(String key, String fallback) {
    return values.getOrDefault(key, fallback);
  }

  long getLong(String key, long fallback) {
    return get(key, fallback, "a whole number of bytes", Long::parseLong);
  }

  /**
   * A parsed value, or the fallback if the key is not set.
   *
   * @param description describes valid values in the error message
   * @param parser throws an {@link IllegalArgumentException} for invalid values
   * @throws InputException if the value is invalid
   */
  <T> T get(String key, T fallback, String description, Function<String, T> parser) {
    String value = values.get(key);
    if (value == null) {
      return fallback;
    }
    try {
      return parser.apply(value.strip());
    } catch (IllegalArgumentException e) {
      throw new InputException(
          source + ": " + key + " is '" + value + "' but must be " + description + ".", e);
    }
  }

  /** The error for values that are valid alone but not together. */
  InputException invalid(IllegalArgumentException cause) {
    return new InputException(source + ": " + cause.getMessage(), cause);
  }

  /** The settings whose keys are not among these, sorted by key. */
  Map<String, String> without(Iterable<String> keys) {
    Map<String, String> others = new TreeMap<>(values);
    keys.forEach(others::remove);
    return others;
  }
}
