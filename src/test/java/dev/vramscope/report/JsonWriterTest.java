package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.UnsafeText;
import dev.vramscope.format.FormatException;
import dev.vramscope.model.ByteText;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.report.Report.Chart;
import dev.vramscope.report.Report.Part;
import dev.vramscope.report.Report.Section;
import dev.vramscope.report.Report.Table;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonWriterTest {
  private static JsonNode json(Report report) {
    return new JsonMapper().readTree(ReportFormat.JSON.write(report));
  }

  static List<String> texts() {
    return List.of(UnsafeText.ALL, EveryPart.HOSTILE, "", "日本語 🙂");
  }

  private static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::asString).toList();
  }

  private static Stream<JsonNode> parts(JsonNode document, String type) {
    return document
        .path("sections")
        .valueStream()
        .flatMap(section -> section.path("parts").valueStream())
        .filter(part -> part.path("type").asString().equals(type))
        .map(part -> part.path("content"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void everyTextIsReadBackAsItWas(String text) {
    JsonNode document = json(EveryPart.with(text));
    assertThat(document.path("title").asString()).isEqualTo(text);
    assertThat(texts(document.path("facts"))).containsExactly(text, text);
    assertThat(document.path("summary").asString()).isEqualTo(text);
    assertThat(document.at("/sections/0/title").asString()).isEqualTo(text);
    JsonNode claim = parts(document, "claim").findFirst().orElseThrow();
    assertThat(claim.path("label").asString()).isEqualTo(text);
    assertThat(claim.path("text").asString()).isEqualTo(text);
    JsonNode action = parts(document, "action").findFirst().orElseThrow();
    assertThat(texts(action)).containsOnly(text).hasSize(3);
    JsonNode table = parts(document, "table").findFirst().orElseThrow();
    assertThat(texts(table.path("columns"))).containsExactly(text, "#" + text);
    assertThat(texts(table.at("/rows/1"))).containsExactly(text, text);
  }

  @Test
  void everyPartHasItsTypeAndItsContent() {
    JsonNode document = json(EveryPart.with("x"));
    assertThat(document.path("isFailure").asBoolean()).isTrue();
    List<JsonNode> parts = document.at("/sections/0/parts").valueStream().toList();
    assertThat(parts.stream().map(part -> part.path("type").asString()))
        .containsExactly("paragraph", "note", "claim", "action", "table", "bar", "chart");
    assertThat(parts).allMatch(part -> !part.path("content").isEmpty());
    assertThat(parts.get(4).at("/content/hasTotal").asBoolean()).isTrue();
  }

  @Test
  void numbersAreExact() {
    long large = (1L << 53) + 1; // No double has this value.
    Chart chart = new Chart("c", List.of(large, 0L), List.of(), List.of(0.125));
    JsonNode content = parts(json(EveryPart.of("x", chart)), "chart").findFirst().orElseThrow();
    assertThat(content.at("/active/0").asLong()).isEqualTo(large);
    assertThat(content.path("reserved").isArray()).isTrue();
    assertThat(content.path("reserved").isEmpty()).isTrue();
    assertThat(content.at("/marks/0").asDouble()).isEqualTo(0.125);
  }

  @ParameterizedTest
  @ValueSource(strings = {"others_hold_most", "frag_half"})
  void everyNumberOfATableIsInTheOtherFormats(String name) throws IOException, FormatException {
    Report report = ReportTest.ofSnapshot(name, ReplayEffort.QUICK);
    String text = ReportFormat.TEXT.write(report);
    String markdown = ReportFormat.MARKDOWN.write(report);
    String html = ReportFormat.HTML.write(report);
    List<JsonNode> tables = parts(json(report), "table").toList();
    assertThat(tables).hasSizeGreaterThan(1);
    for (JsonNode table : tables) {
      List<String> columns = texts(table.path("columns"));
      for (JsonNode row : table.path("rows")) {
        List<String> cells = texts(row);
        for (int i = 0; i < columns.size(); i++) {
          if (columns.get(i).startsWith("#")) {
            assertThat(text).contains(" " + cells.get(i));
            assertThat(markdown).containsPattern("\\| (\\*\\*)?" + cells.get(i) + "(\\*\\*)? \\|");
            assertThat(html).contains("<td class=\"n\">" + cells.get(i) + "</td>");
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"others_hold_most", "frag_half"})
  void slicesOfTheLedgerAddUpToTheDevice(String name) throws IOException, FormatException {
    Report report = ReportTest.ofSnapshot(name, ReplayEffort.QUICK);
    List<Part> ledger =
        report.sections().stream()
            .filter(section -> section.title().equals("Every byte at the failure"))
            .map(Section::parts)
            .findFirst()
            .orElseThrow();
    Report.Bar bar = (Report.Bar) ledger.getFirst();
    Table table = (Table) ledger.getLast();
    long sum = bar.slices().stream().mapToLong(Report.Slice::bytes).sum();
    assertThat(table.rows().getLast().get(1)).endsWith(ByteText.of(sum));
  }
}
