package dev.vramscope.report;

import dev.vramscope.model.VisibleText;
import dev.vramscope.report.Report.Table;
import java.util.ArrayList;
import java.util.List;

/** The lines of a table in fixed columns. */
final class TextTable {
  /** Between columns. */
  private static final int GAP = 2;

  /** No column of text becomes narrower, so that words stay readable. */
  private static final int LEAST = 16;

  private TextTable() {}

  static boolean isNumber(String column) {
    return column.startsWith("#");
  }

  static String heading(String column) {
    return isNumber(column) ? column.substring(1) : column;
  }

  /** The lines of each row; columns of text are wrapped so that the table fits a terminal. */
  static List<String> lines(Table table) {
    List<List<String>> all = new ArrayList<>();
    // Escapes take more columns than the characters that they stand for.
    all.add(table.columns().stream().map(TextTable::heading).map(VisibleText::line).toList());
    table.rows().forEach(row -> all.add(row.stream().map(VisibleText::line).toList()));
    int[] widths = widths(table, all);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (i == 1 || (table.hasTotal() && i == all.size() - 1)) {
        lines.add(rule(widths));
      }
      lines.addAll(row(table, all.get(i), widths));
    }
    return lines;
  }

  /** As wide as the widest cells; if that is too wide, the widest columns of text are narrowed. */
  private static int[] widths(Table table, List<List<String>> all) {
    int[] widths = new int[table.columns().size()];
    int sum = GAP * (widths.length - 1);
    for (int i = 0; i < widths.length; i++) {
      for (List<String> row : all) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
      sum += widths[i];
    }
    int most = TextWriter.WIDTH - TextWriter.INDENT;
    while (sum > most) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        boolean isText = !isNumber(table.columns().get(i));
        if (isText && widths[i] > LEAST && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        break;
      }
      widths[widest]--;
      sum--;
    }
    return widths;
  }

  private static List<String> row(Table table, List<String> cells, int[] widths) {
    List<List<String>> parts = new ArrayList<>();
    int height = 1;
    for (int i = 0; i < widths.length; i++) {
      List<String> lines =
          isNumber(table.columns().get(i)) || cells.get(i).isEmpty()
              ? List.of(cells.get(i))
              : TextWriter.wrapped(cells.get(i), widths[i]);
      parts.add(lines);
      height = Math.max(height, lines.size());
    }
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < height; at++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String part = at < parts.get(i).size() ? parts.get(i).get(at) : "";
        String blanks = " ".repeat(Math.max(0, widths[i] - part.length()));
        line.append(i == 0 ? "" : " ".repeat(GAP))
            .append(isNumber(table.columns().get(i)) ? blanks + part : part + blanks);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static String rule(int[] widths) {
    int length = GAP * (widths.length - 1);
    for (int width : widths) {
      length += width;
    }
    return "─".repeat(length);
  }
}
