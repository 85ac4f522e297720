package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.UnsafeText;
import dev.vramscope.report.Report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TextTableTest {
  private static final int WIDTH = TextWriter.WIDTH - TextWriter.INDENT;

  @Test
  void textIsLeftAndNumbersAreRightAligned() {
    Table table =
        new Table(
            List.of("Part", "#Bytes", "Note"),
            List.of(
                List.of("a", "1 B", "first"),
                List.of("longer", "1,000 B", ""),
                List.of("Total", "1,001 B", "all")),
            true);
    assertThat(TextTable.lines(table))
        .containsExactly(
            "Part      Bytes  Note",
            "──────────────────────",
            "a           1 B  first",
            "longer  1,000 B",
            "──────────────────────",
            "Total   1,001 B  all");
  }

  @Test
  void tableWithoutRowsIsItsHeading() {
    assertThat(TextTable.lines(new Table(List.of("A", "#B"), List.of(), false)))
        .containsExactly("A  B");
  }

  @Test
  void longTextIsWrappedBelowItself() {
    String words = "word ".repeat(30).strip();
    Table table = new Table(List.of("A", "#B", "C"), List.of(List.of("short", "7", words)), false);
    List<String> lines = TextTable.lines(table);
    assertThat(lines).hasSize(4).allMatch(line -> line.length() <= WIDTH);
    assertThat(lines.get(2)).startsWith("short  7  word word");
    assertThat(lines.get(3)).matches(" {10}word( word)*");
  }

  @Test
  void widestColumnsOfTextAreNarrowedFirst() {
    Table table =
        new Table(List.of("A", "B"), List.of(List.of("a".repeat(30), "b".repeat(200))), false);
    List<String> lines = TextTable.lines(table);
    assertThat(lines.get(1)).hasSize(WIDTH);
    assertThat(lines.get(2)).isEqualTo("a".repeat(30) + "  " + "b".repeat(WIDTH - 32));
  }

  @Test
  void noColumnOfTextIsNarrowedBelowSixteen() {
    String number = "9".repeat(120);
    Table table = new Table(List.of("A", "#B"), List.of(List.of("a".repeat(40), number)), false);
    List<String> lines = TextTable.lines(table);
    assertThat(lines.get(2)).isEqualTo("a".repeat(16) + "  " + number);
    assertThat(lines.subList(3, 5)).containsExactly("a".repeat(16), "a".repeat(8));
  }

  @Test
  void escapesOfNamesAndHeadingsAreAligned() {
    Table table =
        new Table(
            List.of("A\u001b", "#B\u202e", "C"),
            List.of(List.of("\u001b[31m", "1", "x"), List.of("plain", "2", "y")),
            false);
    List<String> lines = TextTable.lines(table);
    assertThat(lines.getFirst()).isEqualTo("A\\u001b     B\\u202e  C");
    assertThat(lines.subList(2, 4))
        .containsExactly("\\u001b[31m        1  x", "plain             2  y");
    lines.forEach(line -> UnsafeText.assertVisible("a line", line));
  }

  /** Whatever the cells are, as long as numbers leave room for the text. */
  @Test
  void fitsATerminalAndLosesNothing() {
    for (long seed = 0; seed < 2000; seed++) {
      Table table = random(new SplittableRandom(seed));
      List<String> lines = TextTable.lines(table);
      assertThat(lines).as("seed " + seed).allMatch(line -> line.length() <= WIDTH);
      assertThat(lines).as("seed " + seed).allMatch(line -> line.equals(line.stripTrailing()));
      assertThat(sorted(String.join("", lines).replace("─", "")))
          .as("seed " + seed)
          .isEqualTo(
              sorted(
                  String.join("", table.columns().stream().map(TextTable::heading).toList())
                      + String.join("", table.rows().stream().flatMap(List::stream).toList())));
    }
  }

  /** The characters of a text without blanks, in order. */
  private static String sorted(String text) {
    return text.chars()
        .filter(each -> !Character.isWhitespace(each))
        .sorted()
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static Table random(SplittableRandom random) {
    List<String> columns = new ArrayList<>();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      columns.add(random.nextBoolean() ? "#Bytes" : "Text");
    }
    List<List<String>> rows = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      rows.add(columns.stream().map(column -> cell(column, random)).toList());
    }
    return new Table(columns, rows, random.nextBoolean());
  }

  private static String cell(String column, SplittableRandom random) {
    if (TextTable.isNumber(column)) {
      return random.nextInt(1_000_000) + " MiB";
    }
    StringBuilder text = new StringBuilder();
    for (int words = random.nextInt(12); words > 0; words--) {
      text.append("x".repeat(random.nextInt(1, random.nextInt(4) == 0 ? 200 : 12))).append(' ');
    }
    return text.toString();
  }
}
