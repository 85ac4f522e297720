package dev.vramscope.web.docs;

import dev.vramscope.web.docs.ApiReference.Group;
import dev.vramscope.web.docs.ApiReference.Member;
import dev.vramscope.web.docs.ApiReference.Operation;
import dev.vramscope.web.docs.ApiReference.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads an {@link ApiReference} from an OpenAPI document. */
final class OpenApiReader {
  private static final String REFERENCE = "#/components/schemas/";
  private static final String JSON = "json";

  private final JsonMapper json;
  private final JsonNode document;
  private final String service;
  private final boolean needsToken;

  /**
   * @param service the URL of the service, for the commands
   * @param needsToken whether the commands send a token
   */
  OpenApiReader(JsonMapper json, byte[] document, String service, boolean needsToken) {
    this.json = json;
    this.document = json.readTree(document);
    this.service = service;
    this.needsToken = needsToken;
  }

  ApiReference read() {
    Map<String, List<Operation>> groups = new LinkedHashMap<>();
    document
        .path("tags")
        .forEach(tag -> groups.put(tag.path("name").asString(), new ArrayList<>()));
    var paths = new TreeMap<String, JsonNode>();
    document.path("paths").forEachEntry(paths::put);
    paths.forEach(
        (path, methods) ->
            methods.forEachEntry(
                (method, operation) ->
                    groups
                        .computeIfAbsent(operation.at("/tags/0").asString(), _ -> new ArrayList<>())
                        .add(operation(method.toUpperCase(Locale.ROOT), path, operation))));
    return new ApiReference(
        groups.entrySet().stream()
            .map(group -> new Group(group.getKey(), group.getValue()))
            .toList(),
        document.at("/components/schemas").properties().stream()
            .map(schema -> new ApiReference.Type(schema.getKey(), members(schema.getValue())))
            .filter(type -> !type.members().isEmpty())
            .toList());
  }

  private Operation operation(String method, String path, JsonNode operation) {
    List<Member> parameters =
        operation.path("parameters").valueStream().map(this::parameter).toList();
    var body = operation.at("/requestBody/content").propertyStream().findFirst();
    String mediaType = body.map(Map.Entry::getKey).orElse("");
    JsonNode schema =
        resolved(body.map(b -> b.getValue().path("schema")).orElse(document.path("")));
    String example = mediaType.contains(JSON) ? pretty(example(schema)) : "";
    return new Operation(
        method,
        path,
        operation.path("operationId").asString(),
        operation.path("summary").asString(),
        operation.path("description").asString(""),
        parameters,
        mediaType,
        members(schema),
        example,
        operation.path("responses").properties().stream()
            .map(response -> response(response.getKey(), response.getValue()))
            .toList(),
        curl(method, path, parameters, mediaType, schema));
  }

  private Member parameter(JsonNode parameter) {
    return new Member(
        parameter.path("name").asString(),
        parameter.path("in").asString(),
        type(parameter.path("schema")),
        "",
        parameter.path("required").asBoolean(false),
        parameter.path("description").asString(""),
        parameter.path("example").asString(""));
  }

  /** The members of an object; those of a variant of a sealed type are in its {@code allOf}. */
  private List<Member> members(JsonNode schema) {
    return Stream.concat(Stream.of(schema), schema.path("allOf").valueStream())
        .flatMap(part -> part.path("properties").properties().stream())
        .map(
            member ->
                new Member(
                    member.getKey(),
                    "",
                    type(member.getValue()),
                    schemaName(member.getValue()),
                    /* required= */ false,
                    member.getValue().path("description").asString(""),
                    member.getValue().path("example").asString("")))
        .toList();
  }

  private Response response(String status, JsonNode response) {
    var content = response.path("content").propertyStream().findFirst();
    JsonNode body = content.map(Map.Entry::getValue).orElse(document.path(""));
    JsonNode example = body.path("example");
    return new Response(
        status,
        response.path("description").asString(""),
        content.map(Map.Entry::getKey).orElse(""),
        schemaName(body.path("schema")),
        example.isMissingNode() ? "" : pretty(example));
  }

  /** The type of a value: a list of objects is "list of Name". */
  private String type(JsonNode schema) {
    String name = schemaName(schema);
    if (schema.has("anyOf")) {
      return type(schema.at("/anyOf/0")); // or null
    }
    String type = typeName(schema);
    if (type.equals("array")) {
      return "list of " + (name.isEmpty() ? type(schema.path("items")) : name);
    }
    if (!name.isEmpty()) {
      return name;
    }
    if (schema.has("enum")) {
      return schema
          .path("enum")
          .valueStream()
          .map(JsonNode::asString)
          .collect(Collectors.joining(", "));
    }
    String format = schema.path("format").asString("");
    return format.equals("date-time") ? "date and time" : type.isEmpty() ? "any" : type;
  }

  /** The type besides null, which a list of types may have; empty if there is none. */
  private static String typeName(JsonNode schema) {
    JsonNode type = schema.path("type");
    return type.isArray() ? type.path(0).asString("") : type.asString("");
  }

  /**
   * The name of the referenced schema, of the items for a list, also where it may be null; empty if
   * there is none.
   */
  private static String schemaName(JsonNode schema) {
    String reference =
        Stream.of(schema, schema.path("items"), schema.at("/anyOf/0"))
            .map(part -> part.path("$ref").asString(""))
            .filter(each -> !each.isEmpty())
            .findFirst()
            .orElse("");
    return reference.startsWith(REFERENCE) ? reference.substring(REFERENCE.length()) : "";
  }

  private JsonNode resolved(JsonNode schema) {
    String name = schemaName(schema);
    return name.isEmpty() ? schema : document.at("/components/schemas").path(name);
  }

  /** The example of a schema, or an object of the examples of its members. */
  private JsonNode example(JsonNode schema) {
    if (schema.has("example")) {
      return schema.path("example");
    }
    ObjectNode members = json.createObjectNode();
    for (var member : schema.path("properties").properties()) {
      JsonNode value = resolved(member.getValue());
      if (value.has("example") || value.has("properties")) {
        members.set(member.getKey(), example(value));
      }
    }
    return members;
  }

  private String curl(
      String method, String path, List<Member> parameters, String bodyType, JsonNode body) {
    StringBuilder command = new StringBuilder("curl");
    if (!method.equals(bodyType.isEmpty() ? "GET" : "POST")) {
      command.append(" -X ").append(method);
    }
    if (needsToken) {
      command.append(" -H \"Authorization: Bearer $VRAMSCOPE_TOKEN\"");
    }
    if (bodyType.contains(JSON)) {
      command.append(" -H 'Content-Type: ").append(bodyType).append('\'');
    }
    command.append(" '").append(service).append(url(path, parameters)).append('\'');
    if (bodyType.contains(JSON)) {
      command.append(" \\\n  -d '").append(example(body)).append('\'');
    } else if (!bodyType.isEmpty()) {
      command.append(" \\\n  --data-binary @snapshot.pickle");
    }
    return command.toString();
  }

  /** Path variables in capitals; the query parameters that have an example. */
  private static String url(String path, List<Member> parameters) {
    StringBuilder url = new StringBuilder(path);
    char separator = '?';
    for (Member parameter : parameters) {
      String variable = "{" + parameter.name() + "}";
      int start = url.indexOf(variable);
      if (start >= 0) {
        url.replace(start, start + variable.length(), parameter.name().toUpperCase(Locale.ROOT));
      } else if (!parameter.example().isEmpty()) {
        url.append(separator).append(parameter.name()).append('=').append(parameter.example());
        separator = '&';
      }
    }
    return url.toString();
  }

  private String pretty(JsonNode value) {
    return json.writerWithDefaultPrettyPrinter().writeValueAsString(value);
  }
}
