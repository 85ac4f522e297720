package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.report.Report.Bar;
import dev.vramscope.report.Report.Link;
import dev.vramscope.report.Report.Slice;
import dev.vramscope.report.Report.Table;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlWriterTest {
  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(MatchResult::group).toList();
  }

  /** The tags of a document, without the values of their attributes. */
  private static List<String> tags(String document) {
    return all("<[^>]*>", document).stream().map(tag -> tag.replaceAll("\"[^\"]*\"", "")).toList();
  }

  @Test
  void textOfAFileAddsNeitherElementsNorAttributes() {
    List<Link> links = List.of(new Link(EveryPart.HOSTILE, EveryPart.HOSTILE));
    String hostile = HtmlWriter.write(EveryPart.with(EveryPart.HOSTILE), links);
    String harmless = HtmlWriter.write(EveryPart.with("x"), List.of(new Link("x", "x")));
    assertThat(tags(hostile)).isEqualTo(tags(harmless)).hasSizeGreaterThan(80);
  }

  @Test
  void textOfAFileIsShownAsItIs() {
    String document = HtmlWriter.write(EveryPart.with(EveryPart.HOSTILE));
    String shown =
        document
            .replaceFirst("(?s).*<h1>(.*?)</h1>.*", "$1")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&");
    assertThat(shown).isEqualTo(EveryPart.HOSTILE);
  }

  @Test
  void everyPlaceOfATextIsWritten() {
    String document = HtmlWriter.write(EveryPart.with("needle"));
    int places = 2 + 2 + 1 + 1; // Title and heading, facts, summary, section.
    int parts = 1 + 1 + 2 + 3; // Paragraph, note, claim, action.
    int table = 2 + 4;
    int bar = 1 + 2 * 2; // Caption; each label in the picture and in the legend.
    int chart = 2; // In the picture and below it.
    int kinds = 1 + 2 * 2; // Classes of the claim and of the slices.
    assertThat(all("needle", document)).hasSize(places + parts + table + bar + chart + kinds);
  }

  @Test
  void linksAreAboveTheDocumentOnly() {
    Report report = EveryPart.of("x");
    assertThat(HtmlWriter.write(report)).doesNotContain("<nav", "href");
    assertThat(HtmlWriter.write(report, List.of(new Link("Back", "../1?a=1&b=2"))))
        .contains("<body>\n<nav><a href=\"../1?a=1&amp;b=2\">Back</a> </nav>\n<h1>");
  }

  @Test
  void onlyAFailureLooksLikeOne() {
    Report failed = new Report("a", List.of(), "s", true, List.of());
    Report healthy = new Report("a", List.of(), "s", false, List.of());
    assertThat(HtmlWriter.write(failed)).contains("<p class=\"summary failure\">s</p>");
    assertThat(HtmlWriter.write(healthy)).contains("<p class=\"summary\">s</p>");
  }

  @Test
  void slicesAreToScaleAndTouch() {
    Bar bar =
        new Bar(
            "all",
            List.of(
                new Slice("allocated", "a", 1L << 40),
                new Slice("free", "b", 2L << 40),
                new Slice("outside", "c", 1L << 40)));
    assertThat(all("x=\"[0-9.]+\" width=\"[0-9.]+\"", HtmlWriter.write(EveryPart.of("x", bar))))
        .containsExactly(
            "x=\"0.00\" width=\"250.00\"",
            "x=\"250.00\" width=\"500.00\"",
            "x=\"750.00\" width=\"250.00\"");
  }

  @Test
  void sliceOfNothingHasNoWidth() {
    Bar bar = new Bar("all", List.of(new Slice("free", "a", 0)));
    assertThat(HtmlWriter.write(EveryPart.of("x", bar))).contains("x=\"0.00\" width=\"0.00\"");
  }

  @Test
  void columnsOfNumbersAndTheTotalAreMarked() {
    Table table =
        new Table(
            List.of("Part", "#Bytes"), List.of(List.of("a", "1 B"), List.of("Total", "1 B")), true);
    assertThat(HtmlWriter.write(EveryPart.of("x", table)))
        .contains("<tr><th>Part</th><th class=\"n\">Bytes</th></tr>")
        .contains("<tr><td>a</td><td class=\"n\">1 B</td></tr>")
        .contains("<tr class=\"total\"><td>Total</td><td class=\"n\">1 B</td></tr>");
    Table without = new Table(table.columns(), table.rows(), false);
    assertThat(HtmlWriter.write(EveryPart.of("x", without))).doesNotContain("<tr class=\"total\">");
  }
}
