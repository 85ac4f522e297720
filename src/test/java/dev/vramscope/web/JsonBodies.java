package dev.vramscope.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Bodies of the endpoints that take JSON, as the OpenAPI description has them, with one fault. */
final class JsonBodies {
  private final JsonNode description;

  JsonBodies(JsonNode description) {
    this.description = description;
  }

  /** A valid body of each endpoint, by method and path. */
  Map<String, String> examples() {
    Map<String, String> examples = new TreeMap<>();
    description
        .path("paths")
        .forEachEntry(
            (path, methods) ->
                methods.forEachEntry(
                    (method, operation) -> {
                      JsonNode schema =
                          operation
                              .path("requestBody")
                              .path("content")
                              .path("application/json")
                              .path("schema");
                      String example = example(schema);
                      if (example.startsWith("{")) {
                        examples.put(
                            method.toUpperCase(java.util.Locale.ROOT) + " " + path, example);
                      }
                    }));
    return examples;
  }

  private String example(JsonNode schema) {
    if (schema.has("example")) {
      return schema.path("example").toString();
    }
    if (schema.has("$ref")) {
      String name = schema.path("$ref").asString();
      return example(
          description
              .path("components")
              .path("schemas")
              .path(name.substring(name.lastIndexOf('/') + 1)));
    }
    if (schema.has("properties")) {
      List<String> members = new ArrayList<>();
      schema
          .path("properties")
          .forEachEntry((name, member) -> members.add("\"" + name + "\": " + example(member)));
      return "{" + String.join(", ", members) + "}";
    }
    return switch (schema.path("type").asString()) {
      case "array" -> "[" + example(schema.path("items")) + "]";
      case "integer", "number" -> "1";
      case "boolean" -> "false";
      case "object" -> "{}";
      default -> "\"\"";
    };
  }

  /** The body with each wrong value for each of its members, without each, and with more. */
  static List<String> faulty(String example) {
    List<String> bodies = new ArrayList<>(WrongValues.OF_MEMBERS);
    JsonNode tree = Json.of(example);
    bodies.add(example);
    bodies.add("{\"unknown\": [1], " + example.substring(1));
    for (int place = 0; place < count(tree); place++) {
      for (String value : WrongValues.OF_MEMBERS) {
        bodies.add(written(tree, new int[] {place}, value));
      }
    }
    return bodies;
  }

  private static int count(JsonNode node) {
    int count = 0;
    for (JsonNode each : node) {
      count += 1 + count(each);
    }
    return count;
  }

  /** A tree as text, in which the value that is reached with none left to skip is another one. */
  private static String written(JsonNode node, int[] toSkip, String value) {
    List<String> members = new ArrayList<>();
    if (node.isObject()) {
      node.forEachEntry(
          (name, member) -> members.add("\"" + name + "\": " + replaced(member, toSkip, value)));
      return "{" + String.join(", ", members) + "}";
    }
    if (node.isArray()) {
      node.forEach(member -> members.add(replaced(member, toSkip, value)));
      return "[" + String.join(", ", members) + "]";
    }
    return node.toString();
  }

  private static String replaced(JsonNode member, int[] toSkip, String value) {
    return toSkip[0]-- == 0 ? value : written(member, toSkip, value);
  }
}
