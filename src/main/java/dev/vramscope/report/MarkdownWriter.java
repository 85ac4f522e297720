package dev.vramscope.report;

import dev.vramscope.report.Report.Action;
import dev.vramscope.report.Report.Bar;
import dev.vramscope.report.Report.Chart;
import dev.vramscope.report.Report.Claim;
import dev.vramscope.report.Report.Note;
import dev.vramscope.report.Report.Paragraph;
import dev.vramscope.report.Report.Part;
import dev.vramscope.report.Report.Section;
import dev.vramscope.report.Report.Table;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a report for issue trackers, as GitHub's Markdown. Names from files are escaped. */
final class MarkdownWriter {
  private final StringBuilder out = new StringBuilder();

  private MarkdownWriter() {}

  static String write(Report report) {
    MarkdownWriter writer = new MarkdownWriter();
    writer.line("## " + escaped(report.title()));
    writer.line("");
    writer.line("**" + escaped(report.summary()) + "**");
    writer.line("");
    writer.line(
        report.facts().stream().map(MarkdownWriter::escaped).collect(Collectors.joining(" · ")));
    for (Section section : report.sections()) {
      writer.line("");
      writer.line("### " + escaped(section.title()));
      section.parts().forEach(writer::part);
    }
    writer.line("");
    writer.line("<sub>Report of vramscope</sub>");
    return writer.out.toString();
  }

  private void part(Part part) {
    switch (part) {
      case Paragraph(String text) -> paragraph(escaped(text));
      case Note(String text) -> paragraph("_" + escaped(text) + "_");
      case Claim(String label, String text) ->
          line("- **" + escaped(label) + "**: " + escaped(text));
      case Action action -> action(action);
      case Table table -> table(table);
      case Chart chart -> paragraph(escaped(chart.caption() + ": " + chart.numbers() + "."));
      case Bar _ -> {} // The table beside it has the numbers.
    }
  }

  private void action(Action action) {
    line("- " + escaped(action.action()));
    if (!action.proof().isEmpty()) {
      line("  " + escaped(action.proof()));
    }
    if (!action.code().isEmpty()) {
      line("");
      line("  ```");
      action.code().lines().forEach(each -> line("  " + each.replace("```", "'''")));
      line("  ```");
    }
  }

  private void table(Table table) {
    line("");
    line(
        row(
            table.columns().stream()
                .map(TextTable::heading)
                .map(MarkdownWriter::escaped)
                .toList()));
    line(
        row(
            table.columns().stream()
                .map(column -> TextTable.isNumber(column) ? "---:" : "---")
                .toList()));
    for (int i = 0; i < table.rows().size(); i++) {
      boolean isTotal = table.hasTotal() && i == table.rows().size() - 1;
      line(
          row(
              table.rows().get(i).stream()
                  .map(MarkdownWriter::escaped)
                  .map(cell -> isTotal && !cell.isEmpty() ? "**" + cell + "**" : cell)
                  .toList()));
    }
  }

  private static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }

  private void paragraph(String text) {
    line("");
    line(text);
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  private static boolean isAfterWww(String text, int dot) {
    return dot >= 3 && text.regionMatches(/* ignoreCase= */ true, dot - 3, "www", 0, 3);
  }

  /** Whether a text begins with a number and this point or bracket, as an item of a list does. */
  private static boolean isAfterListNumber(String text, int at) {
    return at > 0
        && text.chars().limit(at).allMatch(each -> '0' <= each && each <= '9')
        && (at + 1 == text.length() || Character.isWhitespace(text.charAt(at + 1)));
  }

  /** Whether GitHub takes what follows for the number of an issue, also if it is escaped. */
  private static boolean isIssue(String text, int at) {
    boolean isMark =
        text.charAt(at) == '#'
            || (at >= 2 && text.regionMatches(/* ignoreCase= */ true, at - 2, "GH-", 0, 3));
    return isMark && at + 1 < text.length() && Character.isDigit(text.charAt(at + 1));
  }

  /** Text from a file can neither add markup nor mention a person or an issue. */
  private static String escaped(String unescaped) {
    String text = unescaped.strip(); // Blanks before a text would make it code.
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '\\', '`', '*', '_', '[', ']', '<', '>', '|', '~' -> escaped.append('\\').append(each);
        case '#' -> escaped.append(isIssue(text, i) ? "\\#\u200b" : "\\#");
        case '-' -> escaped.append(i == 0 ? "\\-" : "-").append(isIssue(text, i) ? "\u200b" : "");
        case '+', '=' -> escaped.append(i == 0 ? "\\" : "").append(each);
        case ')' -> escaped.append(isAfterListNumber(text, i) ? "\\)" : ")");
        case '&' -> escaped.append("&amp;");
        // GitHub makes links of addresses without any markup.
        case ':' -> escaped.append(text.startsWith("://", i) ? "\\:" : ":");
        case '.' -> escaped.append(isAfterWww(text, i) || isAfterListNumber(text, i) ? "\\." : ".");
        case '@' -> escaped.append("@\u200b");
        case '\n', '\r' -> escaped.append(' ');
        default -> escaped.append(each);
      }
    }
    return escaped.toString();
  }
}
