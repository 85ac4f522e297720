package dev.vramscope.report;

import dev.vramscope.model.SentenceCase;
import dev.vramscope.model.VisibleText;
import dev.vramscope.report.Report.Action;
import dev.vramscope.report.Report.Bar;
import dev.vramscope.report.Report.Chart;
import dev.vramscope.report.Report.Claim;
import dev.vramscope.report.Report.Note;
import dev.vramscope.report.Report.Paragraph;
import dev.vramscope.report.Report.Part;
import dev.vramscope.report.Report.Section;
import dev.vramscope.report.Report.Table;
import java.util.ArrayList;
import java.util.List;

/** Writes a report for terminals, 100 columns wide. */
final class TextWriter {
  static final int WIDTH = 100;
  static final int INDENT = 2;
  private static final String BARS = "▁▂▃▄▅▆▇█";

  private final StringBuilder out = new StringBuilder();

  private TextWriter() {}

  static String write(Report report) {
    TextWriter writer = new TextWriter();
    titleLines(report.title()).forEach(writer::line);
    writer.paragraph(0, String.join(" · ", report.facts()));
    writer.line("");
    writer.paragraph(0, report.summary());
    for (Section section : report.sections()) {
      writer.line("");
      writer.heading(section.title());
      section.parts().forEach(writer::part);
    }
    return writer.out.toString();
  }

  private void part(Part part) {
    switch (part) {
      case Paragraph(String text) -> paragraph(INDENT, text);
      case Note(String text) -> paragraph(INDENT, text);
      case Claim(String label, String text) -> paragraph(INDENT, "[" + label + "] " + text);
      case Action action -> {
        paragraph(INDENT, "* " + action.action());
        if (!action.proof().isEmpty()) {
          paragraph(2 * INDENT, action.proof());
        }
        action
            .code()
            .lines()
            .forEach(code -> line(" ".repeat(3 * INDENT) + VisibleText.line(code)));
      }
      case Table table -> TextTable.lines(table).forEach(row -> line(" ".repeat(INDENT) + row));
      case Chart chart -> chart(chart);
      case Bar _ -> {} // The table beside it has the numbers.
    }
  }

  /** One line of bars: the highest of each range of events. */
  private void chart(Chart chart) {
    int columns = Math.min(WIDTH - 2 * INDENT, chart.active().size());
    long most = Math.max(1, chart.active().stream().mapToLong(Long::longValue).max().orElse(1));
    StringBuilder bars = new StringBuilder();
    for (int i = 0; i < columns; i++) {
      int from = chart.active().size() * i / columns;
      int to = Math.max(from + 1, chart.active().size() * (i + 1) / columns);
      long highest =
          chart.active().subList(from, to).stream().mapToLong(Long::longValue).max().orElse(0);
      double height = (double) highest / most * BARS.length();
      bars.append(BARS.charAt((int) Math.min(BARS.length() - 1, height)));
    }
    line(" ".repeat(INDENT) + bars);
    paragraph(
        INDENT,
        chart.caption() + "; the bars are active bytes. " + SentenceCase.of(chart.numbers()) + ".");
  }

  private void paragraph(int indent, String text) {
    wrapped(text, WIDTH - indent).forEach(each -> line(" ".repeat(indent) + each));
  }

  private void heading(String title) {
    List<String> lines = titleLines(title);
    lines.forEach(this::line);
    line("─".repeat(lines.stream().mapToInt(String::length).max().orElse(0)));
  }

  /** A title as it is, or wrapped if it is too long. */
  private static List<String> titleLines(String title) {
    String visible = VisibleText.line(title);
    return visible.length() <= WIDTH ? List.of(visible) : wrapped(visible, WIDTH);
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  /** The words of a text; longer ones than a line are cut into pieces. */
  private static List<String> words(String text, int width) {
    List<String> words = new ArrayList<>();
    for (String word : text.strip().split("\\s+")) {
      int from = 0;
      while (word.length() - from > width) {
        // Half of a surrogate pair would be no character.
        int to = from + width;
        to -= Character.isHighSurrogate(word.charAt(to - 1)) ? 1 : 0;
        words.add(word.substring(from, to));
        from = to;
      }
      words.add(word.substring(from));
    }
    return words;
  }

  /** The lines of a text. */
  static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : words(VisibleText.of(text), width)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    if (!line.isEmpty()) {
      lines.add(line.toString());
    }
    return lines;
  }
}
