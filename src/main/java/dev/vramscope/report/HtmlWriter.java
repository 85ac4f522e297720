package dev.vramscope.report;

import dev.vramscope.report.Report.Action;
import dev.vramscope.report.Report.Bar;
import dev.vramscope.report.Report.Chart;
import dev.vramscope.report.Report.Claim;
import dev.vramscope.report.Report.Link;
import dev.vramscope.report.Report.Note;
import dev.vramscope.report.Report.Paragraph;
import dev.vramscope.report.Report.Part;
import dev.vramscope.report.Report.Section;
import dev.vramscope.report.Report.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Writes a report as one HTML file: style and pictures are inside, there are no scripts, and
 * nothing is loaded from a network.
 */
final class HtmlWriter {
  private static final String STYLE = resource("report.css");

  private final StringBuilder out = new StringBuilder();

  private HtmlWriter() {}

  static String write(Report report) {
    return write(report, List.of());
  }

  /**
   * Writes a page.
   *
   * @param links above the document; not printed
   */
  static String write(Report report, List<Link> links) {
    HtmlWriter writer = new HtmlWriter();
    writer.document(report, links);
    return writer.out.toString();
  }

  private void document(Report report, List<Link> links) {
    out.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
        .append(escaped(report.title()))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n");
    if (!links.isEmpty()) {
      out.append("<nav>");
      for (Link link : links) {
        out.append("<a href=\"")
            .append(escaped(link.address()))
            .append("\">")
            .append(escaped(link.label()))
            .append("</a> ");
      }
      out.append("</nav>\n");
    }
    element("h1", "", report.title());
    element("p", "facts", String.join(" · ", report.facts()));
    element("p", report.isFailure() ? "summary failure" : "summary", report.summary());
    for (Section section : report.sections()) {
      out.append("<section>\n");
      element("h2", "", section.title());
      section.parts().forEach(this::part);
      out.append("</section>\n");
    }
    out.append("<footer>Report of vramscope</footer>\n</body>\n</html>\n");
  }

  private void part(Part part) {
    switch (part) {
      case Paragraph(String text) -> element("p", "", text);
      case Note(String text) -> element("p", "note", text);
      case Claim(String label, String text) ->
          out.append("<p class=\"claim\"><b class=\"")
              .append(escaped(label.replace(' ', '-')))
              .append("\">")
              .append(escaped(label))
              .append("</b> <span>")
              .append(escaped(text))
              .append("</span></p>\n");
      case Action action -> action(action);
      case Table table -> table(table);
      case Bar bar -> bar(bar);
      case Chart chart -> out.append(SvgChart.of(chart));
    }
  }

  private void action(Action action) {
    out.append("<div class=\"action\">\n");
    element("p", "do", action.action());
    if (!action.proof().isEmpty()) {
      element("p", "", action.proof());
    }
    if (!action.code().isEmpty()) {
      element("pre", "", action.code());
    }
    out.append("</div>\n");
  }

  private void table(Table table) {
    out.append("<div class=\"scroll\"><table>\n<thead><tr>");
    for (String column : table.columns()) {
      out.append(TextTable.isNumber(column) ? "<th class=\"n\">" : "<th>")
          .append(escaped(TextTable.heading(column)))
          .append("</th>");
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (int row = 0; row < table.rows().size(); row++) {
      boolean isTotal = table.hasTotal() && row == table.rows().size() - 1;
      out.append(isTotal ? "<tr class=\"total\">" : "<tr>");
      for (int i = 0; i < table.columns().size(); i++) {
        out.append(TextTable.isNumber(table.columns().get(i)) ? "<td class=\"n\">" : "<td>")
            .append(escaped(table.rows().get(row).get(i)))
            .append("</td>");
      }
      out.append("</tr>\n");
    }
    out.append("</tbody>\n</table></div>\n");
  }

  private void bar(Bar bar) {
    long whole = Math.max(1, bar.slices().stream().mapToLong(Report.Slice::bytes).sum());
    out.append("<svg class=\"bar\" role=\"img\" aria-label=\"")
        .append(escaped(bar.caption()))
        .append("\" viewBox=\"0 0 1000 36\" preserveAspectRatio=\"none\">");
    double left = 0;
    for (Report.Slice slice : bar.slices()) {
      double width = 1000.0 * slice.bytes() / whole;
      out.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"36\"><title>%s</title></rect>",
              escaped(slice.kind()),
              left,
              width,
              escaped(slice.label())));
      left += width;
    }
    out.append("</svg>\n<p class=\"legend\">");
    for (Report.Slice slice : bar.slices()) {
      out.append("<span><i class=\"")
          .append(escaped(slice.kind()))
          .append("\"></i>")
          .append(escaped(slice.label()))
          .append("</span> ");
    }
    out.append("</p>\n");
  }

  private void element(String name, String css, String text) {
    out.append('<').append(name);
    if (!css.isEmpty()) {
      out.append(" class=\"").append(css).append('"');
    }
    out.append('>').append(escaped(text)).append("</").append(name).append(">\n");
  }

  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(each);
      }
    }
    return escaped.toString();
  }

  private static String resource(String name) {
    try (InputStream in = HtmlWriter.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
