package dev.vramscope.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Finds the first difference between two records. Two differences are ignored: the {@code
 * requested_size} of an inactive block, which is stale, and the order of adjacent {@code
 * free_completed} entries of different streams, which depends on a hash table.
 */
final class RecordDifference {
  private final JsonNode expected;
  private final JsonNode actual;

  RecordDifference(JsonNode expected, JsonNode actual) {
    this.expected = expected;
    this.actual = actual;
  }

  /** The first difference with its line and path, or empty. */
  Optional<String> first() {
    return compare("", expected, actual)
        .map(
            text ->
                " (line "
                    + expected.path("line").asString()
                    + ", op "
                    + expected.path("op").asString()
                    + ")"
                    + text);
  }

  private static Optional<String> compare(String path, JsonNode expected, JsonNode actual) {
    if (expected.isObject() && actual.isObject()) {
      return compareObjects(path, expected, actual);
    }
    if (expected.isArray() && actual.isArray()) {
      return path.startsWith(" device_traces")
          ? compareArrays(path, inStreamOrder(expected), inStreamOrder(actual))
          : compareArrays(path, elements(expected), elements(actual));
    }
    boolean same =
        (expected.isNumber() && actual.isNumber())
            ? isSameNumber(expected, actual)
            : expected.equals(actual);
    return same ? Optional.empty() : report(path, expected.toString(), actual.toString());
  }

  private static boolean isSameNumber(JsonNode a, JsonNode b) {
    return (a.isIntegralNumber() && b.isIntegralNumber())
        ? a.bigIntegerValue().equals(b.bigIntegerValue())
        : a.doubleValue() == b.doubleValue();
  }

  private static Optional<String> compareObjects(String path, JsonNode expected, JsonNode actual) {
    boolean inactive = expected.path("state").asString("").equals("inactive");
    for (Map.Entry<String, JsonNode> field : expected.properties()) {
      String name = field.getKey();
      if (!actual.has(name)) {
        return report(path + " " + name, field.getValue().toString(), "nothing");
      }
      if (!(inactive && name.equals("requested_size"))) {
        Optional<String> difference =
            compare(path + " " + name, field.getValue(), actual.path(name));
        if (difference.isPresent()) {
          return difference;
        }
      }
    }
    for (String name : actual.propertyNames()) {
      if (!expected.has(name)) {
        return report(path + " " + name, "nothing", actual.path(name).toString());
      }
    }
    return Optional.empty();
  }

  private static Optional<String> compareArrays(
      String path, List<JsonNode> expected, List<JsonNode> actual) {
    for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
      Optional<String> difference = compare(path + "[" + i + "]", expected.get(i), actual.get(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return expected.size() == actual.size()
        ? Optional.empty()
        : report(path, expected.size() + " elements", actual.size() + " elements");
  }

  private static List<JsonNode> elements(JsonNode array) {
    List<JsonNode> elements = new ArrayList<>();
    array.forEach(elements::add);
    return elements;
  }

  /** Sorts runs of free_completed entries by stream; the order within a stream is kept. */
  private static List<JsonNode> inStreamOrder(JsonNode array) {
    List<JsonNode> elements = elements(array);
    for (int from = 0; from < elements.size(); from++) {
      int to = from;
      while (to < elements.size() && isFreeCompleted(elements.get(to))) {
        to++;
      }
      if (to > from) {
        elements.subList(from, to).sort(Comparator.comparingLong(e -> e.path("stream").asLong()));
        from = to;
      }
    }
    return elements;
  }

  private static boolean isFreeCompleted(JsonNode entry) {
    return entry.path("action").asString("").equals("free_completed");
  }

  private static Optional<String> report(String path, String expected, String actual) {
    return Optional.of(path + ": expected " + shortened(expected) + ", got " + shortened(actual));
  }

  private static String shortened(String text) {
    return text.length() <= 300 ? text : text.substring(0, 300) + "...";
  }
}
