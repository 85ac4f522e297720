package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.UnsafeText;
import dev.vramscope.report.Report.Action;
import dev.vramscope.report.Report.Chart;
import dev.vramscope.report.Report.Claim;
import dev.vramscope.report.Report.Note;
import dev.vramscope.report.Report.Paragraph;
import dev.vramscope.report.Report.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextWriterTest {
  private static final int BARS = TextWriter.WIDTH - 2 * TextWriter.INDENT;

  private static List<String> lines(Report report) {
    return TextWriter.write(report).lines().toList();
  }

  private static String bars(List<Long> active) {
    Chart chart = new Chart("c", active, List.of(), List.of());
    return lines(EveryPart.of("x", chart)).get(7).substring(TextWriter.INDENT);
  }

  @Test
  void wordsAreWrappedInOrder() {
    assertThat(TextWriter.wrapped("one two  three\nfour", 8))
        .containsExactly("one two", "three", "four");
    assertThat(TextWriter.wrapped("exactly8 fit", 8)).containsExactly("exactly8", "fit");
    assertThat(TextWriter.wrapped("", 8)).isEmpty();
  }

  @Test
  void wordsLongerThanALineAreCut() {
    assertThat(TextWriter.wrapped("a 0123456789abc d", 5))
        .containsExactly("a", "01234", "56789", "abc d");
    assertThat(TextWriter.wrapped("0123456789", 5)).containsExactly("01234", "56789");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a"})
  void charactersAreNotCutIntoHalves(String shift) {
    String name = shift + "🙂".repeat(200);
    assertThat(String.join("", TextWriter.wrapped(name, 98))).isEqualTo(name);
    String document = ReportFormat.TEXT.write(EveryPart.of("x", new Paragraph(name)));
    assertThat(document).doesNotContain("\\ud83d");
    assertThat(document.lines()).allMatch(line -> line.length() <= TextWriter.WIDTH);
  }

  @ParameterizedTest
  @ValueSource(strings = {"name ", "name", "🙂", "\u001b"})
  void everyTextFitsTheTerminal(String word) {
    String text = word.repeat(120).strip();
    Report report =
        EveryPart.of(
            text,
            new Paragraph(text),
            new Note(text),
            new Claim(text, text),
            new Action(text, text, ""),
            new Table(List.of(text, "#B"), List.of(List.of(text, "1"), List.of(text, "2")), true),
            new Chart(text, Collections.nCopies(300, 1L), List.of(), List.of()));
    assertThat(lines(report)).allMatch(line -> line.length() <= TextWriter.WIDTH);
  }

  @Test
  void namesControlNeitherTheTerminalNorTheLines() {
    for (String hostile : List.of(UnsafeText.ALL, EveryPart.HOSTILE)) {
      String document = ReportFormat.TEXT.write(EveryPart.with(hostile));
      UnsafeText.assertVisible("the report", document);
      assertThat(document.lines()).noneMatch(line -> line.startsWith("forged"));
    }
  }

  @Test
  void sectionsHaveAnUnderlinedHeading() {
    assertThat(lines(EveryPart.of("Title", new Paragraph("text"))))
        .containsExactly("Title", "Title · Title", "", "Title", "", "Title", "─────", "  text");
  }

  @Test
  void codeIsCopiedAsItIs() {
    String code = "export A=" + "b".repeat(150) + "  c\nexport D=1";
    assertThat(lines(EveryPart.of("x", new Action("Set it", "It helps.", code))))
        .endsWith(
            "  * Set it",
            "    It helps.",
            "      export A=" + "b".repeat(150) + "  c",
            "      export D=1");
  }

  @Test
  void barsAreEighthsOfTheHighest() {
    assertThat(bars(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L))).isEqualTo("▁▂▃▄▅▆▇██");
    assertThat(bars(List.of(0L, 0L))).isEqualTo("▁▁");
  }

  @Test
  void barIsTheHighestOfItsRange() {
    List<Long> active = new ArrayList<>(Collections.nCopies(4 * BARS, 0L));
    active.set(4 * 10 + 3, 100L);
    assertThat(bars(active)).isEqualTo("▁".repeat(10) + "█" + "▁".repeat(BARS - 11));
  }

  @Test
  void barsOfTheLargestNumbersAreDrawn() {
    assertThat(bars(List.of(Long.MAX_VALUE, 1L << 62, 1L << 61))).isEqualTo("█▅▃");
  }

  @Test
  void chartIsAlsoInWords() {
    Chart chart =
        new Chart("Active bytes", List.of(1024L, 2048L), List.of(4096L, 4096L), List.of(0.5));
    assertThat(lines(EveryPart.of("x", chart)))
        .endsWith(
            "  Active bytes; the bars are active bytes. At most 2 KiB active and 4 KiB reserved, 1"
                + " request",
            "  failed.");
  }
}
