package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.report.Report.Action;
import dev.vramscope.report.Report.Claim;
import dev.vramscope.report.Report.Note;
import dev.vramscope.report.Report.Paragraph;
import dev.vramscope.report.Report.Table;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownWriterTest {
  /** A character that GitHub gives a meaning, without a backslash before it. */
  private static final Pattern MARKUP = Pattern.compile("(?<!\\\\)(\\\\\\\\)*[`*_\\[\\]<>|#~]");

  private static List<String> lines(String document) {
    return document.lines().toList();
  }

  /** What a text becomes in the title. */
  private static String written(String text) {
    String title = lines(MarkdownWriter.write(EveryPart.of(text))).getFirst();
    assertThat(title).startsWith("## ");
    return title.substring(3);
  }

  /** What a reader sees of it. */
  private static String shown(String markdown) {
    return markdown
        .replaceAll("\\\\([-\\\\`*_\\[\\]<>|#~+=.:)])", "$1")
        .replace("\u200b", "")
        .replace("&amp;", "&");
  }

  @Test
  void textOfAFileHasNoMarkupAndIsShownAsItIs() {
    String characters = "\\`*_[]<>|#~&:/.@-+=()0123456789 aGHw\n";
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(1, 12); length > 0; length--) {
        text.append(characters.charAt(random.nextInt(characters.length())));
      }
      String written = written(text.toString());
      assertThat(written).as(text.toString()).doesNotContainPattern(MARKUP);
      assertThat(written.replace("\\:", "")).as(text.toString()).doesNotContain("://");
      assertThat(shown(written)).isEqualTo(text.toString().strip().replace('\n', ' '));
    }
  }

  @Test
  void textOfAFileAddsNoLinesAndNoColumns() {
    String hostile = MarkdownWriter.write(EveryPart.with(EveryPart.HOSTILE.replace("\n", " ")));
    String harmless = MarkdownWriter.write(EveryPart.with("x"));
    assertThat(lines(hostile)).hasSameSizeAs(lines(harmless));
    assertThat(cells(hostile)).isEqualTo(cells(harmless)).containsExactly(3, 3, 3, 3);
  }

  /** The bars that end the cells of each row of a table. */
  private static List<Integer> cells(String document) {
    return document
        .lines()
        .filter(line -> line.startsWith("|"))
        .map(line -> line.replaceAll("\\\\.", "").replaceAll("[^|]", "").length())
        .toList();
  }

  @Test
  void lineEndsInNamesStayInTheirLine() {
    assertThat(written("a\nb\r\nc")).isEqualTo("a b  c");
    Table table = new Table(List.of("A\nB"), List.of(List.of("c\nd")), false);
    assertThat(MarkdownWriter.write(EveryPart.of("x", table)))
        .contains("\n| A B |\n| --- |\n| c d |\n");
  }

  @Test
  void namesMentionNeitherPersonsNorIssues() {
    // GitHub looks for them in what is left when the backslashes are gone.
    assertThat(shown(written("@octocat"))).isEqualTo("@octocat");
    assertThat(written("@octocat #17 org/repo#18 GH-19 gh-20").replace("\\", ""))
        .doesNotContainPattern("@[a-z]|#[0-9]|(?i)GH-[0-9]");
    assertThat(written("step #a GH-a")).isEqualTo("step \\#a GH-a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"- item", "+ item", "* item", "1. item", "20) item", "===", "---", "> q"})
  void textOfAFileBeginsNoBlock(String text) {
    String document = MarkdownWriter.write(EveryPart.of("x", new Paragraph(text)));
    assertThat(lines(document)).noneMatch(line -> line.equals(text));
    assertThat(shown(document)).contains("\n" + text + "\n");
  }

  @Test
  void blanksBeforeATextMakeItNoCode() {
    assertThat(MarkdownWriter.write(EveryPart.of("x", new Paragraph("\t    text"))))
        .contains("\ntext\n");
    assertThat(MarkdownWriter.write(EveryPart.of("x", new Note(" text ")))).contains("\n_text_\n");
  }

  @Test
  void numbersStayReadable() {
    assertThat(written("2.5 GiB (1.25 %) at model.py:12, 1 - 2 = -1 + 0"))
        .isEqualTo("2.5 GiB (1.25 %) at model.py:12, 1 - 2 = -1 + 0");
  }

  @Test
  void codeCannotEndItsFence() {
    Action action = new Action("Set it", "It helps", "a=1\n```\n# b");
    assertThat(MarkdownWriter.write(EveryPart.of("x", action)))
        .contains(
            """
            - Set it
              It helps

              ```
              a=1
              '''
              # b
              ```
            """);
    assertThat(MarkdownWriter.write(EveryPart.of("x", new Action("Set it", "", ""))))
        .contains("- Set it\n")
        .doesNotContain("```");
  }

  @Test
  void numbersAreRightAlignedAndTheTotalIsBold() {
    Table table =
        new Table(
            List.of("Part", "#Bytes", "Note"),
            List.of(List.of("a", "1 B", "n"), List.of("Total", "1 B", "")),
            true);
    assertThat(MarkdownWriter.write(EveryPart.of("x", table)))
        .contains(
            """

            | Part | Bytes | Note |
            | --- | ---: | --- |
            | a | 1 B | n |
            | **Total** | **1 B** |  |
            """);
    Table without = new Table(table.columns(), table.rows(), false);
    assertThat(MarkdownWriter.write(EveryPart.of("x", without))).contains("| Total | 1 B |  |");
  }

  @Test
  void claimIsAnItemWithItsCertainty() {
    assertThat(MarkdownWriter.write(EveryPart.of("x", new Claim("likely", "It leaks."))))
        .contains("- **likely**: It leaks.\n");
  }
}
