package dev.vramscope.report;

import dev.vramscope.model.ByteText;
import dev.vramscope.report.Report.Chart;
import java.util.List;
import java.util.Locale;

/** The picture of memory over the recording. */
final class SvgChart {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 220;
  private static final int RULES = 4;

  private SvgChart() {}

  static String of(Chart chart) {
    long most = Math.max(1, Math.max(highest(chart.active()), highest(chart.reserved())));
    StringBuilder svg = new StringBuilder();
    svg.append("<div class=\"plot\"><div class=\"axis\" aria-hidden=\"true\">");
    for (int rule = RULES; rule >= 1; rule--) {
      svg.append("<span>").append(ByteText.of(share(most, rule))).append("</span>");
    }
    svg.append("</div>\n<svg class=\"chart\" role=\"img\" aria-label=\"")
        .append(HtmlWriter.escaped(chart.caption() + ": " + chart.numbers()))
        .append(
            String.format(
                Locale.ROOT,
                "\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">",
                WIDTH,
                HEIGHT));
    for (int rule = 1; rule <= RULES; rule++) {
      double y = y(share(most, rule), most);
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"rule\" x1=\"0\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
              WIDTH,
              y,
              y));
    }
    svg.append("<path class=\"active\" d=\"M0,")
        .append(HEIGHT)
        .append(steps(chart.active(), most))
        .append(String.format(Locale.ROOT, "L%d,%d Z\"/>", WIDTH, HEIGHT));
    if (!chart.reserved().isEmpty()) {
      String line = steps(chart.reserved(), most);
      svg.append("<path class=\"reserved\" d=\"M").append(line.substring(1)).append("\"/>");
    }
    for (double mark : chart.marks()) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"failure\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>",
              mark * WIDTH,
              mark * WIDTH,
              0,
              HEIGHT));
    }
    return svg.append("</svg></div>\n<p class=\"note\">")
        .append(HtmlWriter.escaped(chart.caption()))
        .append(chart.reserved().isEmpty() ? "" : "; the line is reserved bytes")
        .append(chart.marks().isEmpty() ? "" : "; a vertical line is a failed request")
        .append("</p>\n")
        .toString();
  }

  private static long highest(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** So many quarters of a number, which may be too large to be multiplied. */
  private static long share(long most, int rule) {
    return most / RULES * rule + most % RULES * rule / RULES;
  }

  private static double y(long bytes, long most) {
    return HEIGHT - (double) HEIGHT * bytes / most;
  }

  /** A line with a step at each range. */
  private static String steps(List<Long> values, long most) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      double y = y(values.get(i), most);
      path.append(
          String.format(
              Locale.ROOT,
              "L%.1f,%.1f L%.1f,%.1f ",
              (double) WIDTH * i / values.size(),
              y,
              (double) WIDTH * (i + 1) / values.size(),
              y));
    }
    return path.toString();
  }
}
