package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.GeneratedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The reference of the REST API, for people and for machines. */
class ApiDocsIT extends OnServer {
  private static final String PATH = "/api/docs";

  @Test
  void browserGetsAPageWithEveryOperation() {
    var answer = server.get(PATH, "Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
    assertThat(answer.headers().firstValue("Vary").orElse("").toLowerCase(Locale.ROOT))
        .startsWith("accept,");
    String page = server.text(PATH, "Accept", "text/html");
    document()
        .path("paths")
        .properties()
        .forEach(path -> assertThat(page).contains(">" + path.getKey() + "<"));
    assertThat(page)
        .contains("curl &#39;" + server.at("/api/v1/snapshots?job=llama&amp;rank=0&#39;"))
        .contains(
            "curl &#39;" + server.at("/api/v1/snapshots?job=llama&amp;rank=0&amp;step=1200&#39;"))
        .contains("--data-binary @snapshot.pickle")
        .contains("curl -X DELETE &#39;" + server.at("/api/v1/snapshots/ID&#39;"))
        .contains("-d &#39;{&quot;bytes&quot;:2097152,&quot;stream&quot;:0")
        .contains("id=\"type-Problem\"", "There is no snapshot 0123456789abcdef")
        .doesNotContain("Authorization: Bearer", "JsonNode", "style=", "onclick=");
  }

  @Test
  void otherClientsGetTheDocument() {
    for (String path : List.of(PATH, PATH + ".json")) {
      var answer = server.get(path);
      assertThat(answer.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/json");
      JsonNode document = Json.of(answer);
      assertThat(document.path("openapi").asString()).startsWith("3.");
      assertThat(document.at("/servers/0/url").asString() + "/")
          .isEqualTo(server.at("/").toString());
    }
  }

  /** {@code -Dvramscope.update-docs=true} writes it. The frontend makes its types of it. */
  @Test
  void documentInTheRepositoryIsCurrent() throws IOException {
    ObjectNode document = (ObjectNode) document();
    document.remove("servers");
    ((ObjectNode) document.path("info")).remove("version");
    sort(document, "paths");
    sort((ObjectNode) document.path("components"), "schemas");
    String text = JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(document);
    GeneratedFile.verify(Path.of("docs", "openapi.json"), text + "\n");
  }

  private static void sort(ObjectNode parent, String name) {
    var members = new TreeMap<String, JsonNode>();
    parent.path(name).forEachEntry(members::put);
    ((ObjectNode) parent.path(name)).removeAll().setAll(members);
  }

  @Test
  void answersSayWhatTheyAlwaysHaveAndWhatMayBeNull() {
    JsonNode schemas = document().at("/components/schemas");
    JsonNode allocation = schemas.path("AllocationView");
    assertThat(allocation.path("required").valueStream().map(JsonNode::asString))
        .contains("row", "address", "site");
    assertThat(allocation.at("/properties/row/type").asString()).isEqualTo("integer");
    assertThat(allocation.at("/properties/pool/type")).isEqualTo(Json.of("[\"string\",\"null\"]"));
    assertThat(allocation.at("/properties/site/anyOf/1/type").asString()).isEqualTo("null");
    // Left out where it is unknown.
    assertThat(schemas.at("/EventView/required").valueStream().map(JsonNode::asString))
        .contains("event")
        .doesNotContain("address");
    assertThat(schemas.path("LabRequest").has("required")).isFalse();
  }

  @Test
  void everyParameterAndEveryBodyIsDescribed() {
    JsonNode document = document();
    List<String> missing = new ArrayList<>();
    for (var path : document.path("paths").properties()) {
      for (var method : path.getValue().properties()) {
        JsonNode operation = method.getValue();
        for (JsonNode parameter : operation.path("parameters")) {
          if (parameter.path("description").asString("").isEmpty()) {
            missing.add(path.getKey() + ": " + parameter.path("name").asString());
          }
        }
        for (JsonNode content : operation.at("/requestBody/content")) {
          String reference = content.at("/schema/$ref").asString("");
          String name = reference.substring(reference.lastIndexOf('/') + 1);
          document
              .at("/components/schemas")
              .path(name)
              .path("properties")
              .forEachEntry(
                  (member, type) -> {
                    if (!type.has("$ref") && type.path("description").asString("").isEmpty()) {
                      missing.add(name + "." + member);
                    }
                  });
        }
      }
    }
    assertThat(missing).as("add them to api-parameters.txt").isEmpty();
  }

  @Test
  void constantsAreInLowerCaseWithHyphensExceptThoseOfAVerdict() {
    List<String> differing = new ArrayList<>();
    document()
        .at("/components/schemas")
        .forEachEntry(
            (name, schema) ->
                schema
                    .path("properties")
                    .forEachEntry(
                        (member, type) -> {
                          boolean isVerdict = name.equals("Verdict");
                          String names = isVerdict ? "[A-Z]+(_[A-Z]+)*" : "[a-z]+(-[a-z]+)*";
                          for (JsonNode part : List.of(type, type.at("/anyOf/0"))) {
                            for (JsonNode constant : part.path("enum")) {
                              if (!constant.asString().matches(names)) {
                                differing.add(name + "." + member + ": " + constant);
                              }
                            }
                          }
                        }));
    assertThat(differing).isEmpty();
    assertThat(document().at("/components/schemas/CandidateView/properties/state/enum"))
        .isEqualTo(Json.of("[\"allocated\",\"pending-free\",\"inactive\"]"));
    assertThat(document().at("/components/schemas/Verdict/properties/cause/enum").toString())
        .contains("\"OTHER_STREAM\"");
  }

  @Test
  void membersOfUnwrappedPartsAreThoseOfTheWhole() {
    JsonNode schemas = document().at("/components/schemas");
    assertThat(schemas.at("/StoredSnapshot/properties").propertyNames())
        .contains("id", "sha256", "eventCount", "findingCount")
        .doesNotContain("totals");
    assertThat(schemas.at("/EndedRun/properties").propertyNames())
        .contains("allocator", "state", "mismatches", "postMortem")
        .doesNotContain("host", "counts");
  }

  @Test
  void codesOfFindingsAreDescribed() {
    assertThat(
            document().at("/components/schemas/Finding/properties/code/description").asString(""))
        .contains("docs/findings.md");
  }

  @Test
  void commandsSendTheTokenWhereOneIsNeeded() {
    try (LocalServer protectedServer = LocalServer.start("--vramscope.token=a-long-random-text")) {
      assertThat(protectedServer.get(PATH).statusCode()).isEqualTo(401);
      assertThat(
              protectedServer.text(
                  PATH, "Accept", "text/html", "Authorization", "Bearer a-long-random-text"))
          .contains("curl -H &quot;Authorization: Bearer $VRAMSCOPE_TOKEN&quot;")
          .doesNotContain("a-long-random-text");
    }
  }

  private static JsonNode document() {
    return Json.of(server.get(PATH));
  }
}
