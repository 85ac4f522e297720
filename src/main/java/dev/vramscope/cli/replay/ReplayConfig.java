package dev.vramscope.cli.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code KEY=VALUE} lines of a case's {@code config.txt}. */
record ReplayConfig(Map<String, String> values) {
  static final ReplayConfig EMPTY = new ReplayConfig(Map.of());

  ReplayConfig {
    values = Map.copyOf(values);
  }

  static ReplayConfig read(Path file) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      if (equals > 0 && !line.startsWith("#")) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return new ReplayConfig(values);
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
    String value = values.get(key);
    return value == null ? otherwise : Long.parseLong(value);
  }
}
