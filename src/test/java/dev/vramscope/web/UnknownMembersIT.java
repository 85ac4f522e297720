package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every JSON body that the OpenAPI document describes, with a member that it does not describe, or
 * one twice.
 */
class UnknownMembersIT extends OnServer {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String REFERENCE = "#/components/schemas/";

  private final JsonNode document = Json.of(server.get("/api/docs.json"));
  private final List<String> bodies = new ArrayList<>();

  @Test
  void unknownMembersAreRejectedAtEveryDepth() {
    for (var path : document.path("paths").properties()) {
      for (var method : path.getValue().properties()) {
        JsonNode schema =
            method.getValue().at("/requestBody/content").path("application/json").path("schema");
        if (!schema.isMissingNode()) {
          for (ObjectNode body : withUnknownMembers(schema)) {
            bodies.add(path.getKey());
            assertRejected(method.getKey(), path.getKey(), body.toString(), "unheardOf");
          }
          assertMemberTwiceIsRejected(method.getKey(), path.getKey(), example(schema));
        }
      }
    }
    assertThat(bodies)
        .as("a body and the objects in it")
        .contains("/api/v1/snapshots/{id}", "/api/v1/plans", "/api/v1/lab/run")
        .hasSizeGreaterThan(14);
  }

  private static void assertMemberTwiceIsRejected(String method, String path, ObjectNode body) {
    var member = body.properties().iterator().next();
    assertRejected(
        method,
        path,
        "{\"" + member.getKey() + "\":" + member.getValue() + "," + body.toString().substring(1),
        "The member '" + member.getKey() + "' is there more than once");
  }

  private static void assertRejected(String method, String path, String body, String problem) {
    String url = path.replaceAll("\\{\\w+}", "1");
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String[] type = {"Content-Type", "application/json"};
    HttpResponse<byte[]> answer =
        method.equals("patch") ? server.patch(url, bytes, type) : server.post(url, bytes, type);
    assertThat(answer.statusCode()).as("%s %s", path, body).isEqualTo(400);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).as(path).contains(problem);
  }

  /** The example of a schema, once for each object in it, which has one member more. */
  private List<ObjectNode> withUnknownMembers(JsonNode schema) {
    List<ObjectNode> bodies = new ArrayList<>();
    ObjectNode example = example(schema);
    for (int target = 0; target < count(example); target++) {
      ObjectNode body = example.deepCopy();
      int[] number = {target};
      forEachObject(
          body,
          object -> {
            if (number[0]-- == 0) {
              object.put("unheardOf", 1);
            }
          });
      bodies.add(body);
    }
    return bodies;
  }

  private static int count(ObjectNode example) {
    int[] count = {0};
    forEachObject(example, _ -> count[0]++);
    return count[0];
  }

  /** Objects whose members are those of a record; the names in a map are the client's. */
  private static void forEachObject(JsonNode node, Consumer<ObjectNode> consumer) {
    if (node instanceof ObjectNode object) {
      List<JsonNode> values = new ArrayList<>();
      object
          .properties()
          .forEach(
              member -> {
                if (!List.of("values", "at").contains(member.getKey())) {
                  values.add(member.getValue());
                }
              });
      consumer.accept(object);
      values.forEach(value -> forEachObject(value, consumer));
    } else {
      node.forEach(each -> forEachObject(each, consumer));
    }
  }

  private ObjectNode example(JsonNode schema) {
    JsonNode resolved = resolved(schema);
    if (resolved.path("example") instanceof ObjectNode given) {
      return given;
    }
    ObjectNode object = MAPPER.createObjectNode();
    for (var member : resolved.path("properties").properties()) {
      JsonNode type = member.getValue();
      if (type.has("example")) {
        object.set(member.getKey(), type.path("example"));
      } else if (resolved(type).has("properties")) {
        object.set(member.getKey(), example(type));
      } else if (resolved(type.path("items")).has("properties")) {
        ArrayNode list = object.putArray(member.getKey());
        list.add(example(type.path("items")));
      }
    }
    return object;
  }

  private JsonNode resolved(JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    return reference.isEmpty()
        ? schema
        : document.at("/components/schemas").path(reference.substring(REFERENCE.length()));
  }
}
