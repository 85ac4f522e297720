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
 * @param source names the file in messages
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
            file + ":" + number + ": '" + line + "' is no setting; a line looks like KEY=VALUE.");
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

  String get(String key, String otherwise) {
    return values.getOrDefault(key, otherwise);
  }

  long getLong(String key, long otherwise) {
    return get(key, otherwise, "a whole number of bytes", Long::parseLong);
  }

  /**
   * A value, or another if the key is not set.
   *
   * @param wanted what the value has to be, for the message if it is not
   * @param reader throws an {@link IllegalArgumentException} if it is not
   */
  <T> T get(String key, T otherwise, String wanted, Function<String, T> reader) {
    String value = values.get(key);
    if (value == null) {
      return otherwise;
    }
    try {
      return reader.apply(value.strip());
    } catch (IllegalArgumentException e) {
      throw new InputException(
          source + ": " + key + " is '" + value + "', and should be " + wanted + ".", e);
    }
  }

  /** What to say when values that are each allowed make no sense together. */
  InputException refused(IllegalArgumentException why) {
    return new InputException(source + ": " + why.getMessage(), why);
  }

  /** The settings that are not among these, by name. */
  Map<String, String> without(Iterable<String> known) {
    Map<String, String> others = new TreeMap<>(values);
    known.forEach(others::remove);
    return others;
  }
}
