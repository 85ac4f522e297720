package dev.vramscope.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares records one by one as JSON values. Only lines that differ in their bytes are parsed. */
final class RecordComparison {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final byte[] expected;
  private final byte[] actual;

  RecordComparison(byte[] expected, byte[] actual) {
    this.expected = expected;
    this.actual = actual;
  }

  Optional<String> firstDifference() {
    int e = 0;
    int a = 0;
    for (int record = 1; e < expected.length || a < actual.length; record++) {
      int expectedEnd = lineEnd(expected, e);
      int actualEnd = lineEnd(actual, a);
      if (!Arrays.equals(expected, e, expectedEnd, actual, a, actualEnd)) {
        Optional<String> difference =
            difference(
                new String(expected, e, expectedEnd - e, UTF_8),
                new String(actual, a, actualEnd - a, UTF_8));
        if (difference.isPresent()) {
          return Optional.of("record " + record + difference.get());
        }
      }
      e = Math.min(expectedEnd + 1, expected.length);
      a = Math.min(actualEnd + 1, actual.length);
    }
    return Optional.empty();
  }

  private static int lineEnd(byte[] text, int from) {
    int at = from;
    while (at < text.length && text[at] != '\n') {
      at++;
    }
    return at;
  }

  private static Optional<String> difference(String expected, String actual) {
    if (expected.isEmpty()) {
      return Optional.of(": expected the end, got " + actual);
    }
    if (actual.isEmpty()) {
      return Optional.of(": expected " + expected + ", got the end");
    }
    try {
      JsonNode expectedRecord = JSON.readTree(expected);
      return new RecordDifference(expectedRecord, JSON.readTree(actual)).first();
    } catch (JacksonException e) {
      return Optional.of(": not JSON: " + e.getOriginalMessage());
    }
  }
}
