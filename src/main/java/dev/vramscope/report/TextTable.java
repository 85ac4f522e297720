package dev.vramscope.report;

import dev.vramscope.report.Report.Table;
import java.util.ArrayList;
import java.util.List;

/** The lines of a table in fixed columns. */
final class TextTable {
  private static final int MAX_LAST = 60;

  private TextTable() {}

  static boolean isNumber(String column) {
    return column.startsWith("#");
  }

  static String heading(String column) {
    return isNumber(column) ? column.substring(1) : column;
  }

  /** One line for each row; the last column, if it is text, is wrapped. */
  static List<String> lines(Table table) {
    List<List<String>> all = new ArrayList<>();
    all.add(table.columns().stream().map(TextTable::heading).toList());
    all.addAll(table.rows());
    int columns = table.columns().size();
    int[] widths = new int[columns];
    for (List<String> row : all) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    boolean isLastText = !isNumber(table.columns().getLast());
    if (isLastText) {
      widths[columns - 1] = Math.min(widths[columns - 1], MAX_LAST);
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (i == 1 || (table.hasTotal() && i == all.size() - 1)) {
        lines.add(rule(widths));
      }
      lines.addAll(row(table, all.get(i), widths, isLastText));
    }
    return lines;
  }

  private static List<String> row(
      Table table, List<String> cells, int[] widths, boolean isLastText) {
    StringBuilder line = new StringBuilder();
    int indent = 0;
    int columns = cells.size();
    for (int i = 0; i < columns - (isLastText ? 1 : 0); i++) {
      String blanks = " ".repeat(Math.max(0, widths[i] - cells.get(i).length()));
      line.append(isNumber(table.columns().get(i)) ? blanks + cells.get(i) : cells.get(i) + blanks)
          .append("  ");
      indent += widths[i] + 2;
    }
    if (!isLastText) {
      return List.of(line.toString().stripTrailing());
    }
    List<String> lines = new ArrayList<>();
    for (String part : TextWriter.wrapped(cells.getLast(), widths[columns - 1])) {
      lines.add((lines.isEmpty() ? line.toString() : " ".repeat(indent)) + part);
    }
    return lines.isEmpty() ? List.of(line.toString().stripTrailing()) : lines;
  }

  private static String rule(int[] widths) {
    int length = 2 * (widths.length - 1);
    for (int width : widths) {
      length += width;
    }
    return "─".repeat(length);
  }
}
