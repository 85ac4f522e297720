package dev.vramscope.explain.host;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of the largest processes of a node, which Ray writes when it ends a worker. */
final class RayTopProcesses {
  private static final Pattern HEAD = Pattern.compile("PID\\s{1,9}MEM\\(GB\\)\\s{1,9}COMMAND");

  private static final Pattern ROW =
      Pattern.compile("([0-9]{1,10})\\s{1,9}([0-9]{1,7}\\.[0-9]{1,3})\\s{1,9}(\\S[^\\n]{0,300})");

  private static final int MOST_ROWS = 20;

  /** Ray's GB is 2^30 bytes. */
  private static final double GIB = 1 << 30;

  private RayTopProcesses() {}

  /** The first table of a text; without rows if there is none. */
  static ProcessTable of(String text) {
    List<ProcessTable.Row> found = new ArrayList<>();
    Matcher head = HEAD.matcher(text);
    if (head.find()) {
      String[] rows = text.substring(head.end()).split("\n", MOST_ROWS + 2);
      for (int i = 1; i < Math.min(rows.length, MOST_ROWS + 1); i++) {
        Matcher row = ROW.matcher(rows[i]);
        if (!row.find()) {
          break;
        }
        long bytes = Math.round(Double.parseDouble(row.group(2)) * GIB);
        found.add(new ProcessTable.Row(row.group(1), row.group(3).strip(), bytes));
      }
    }
    return new ProcessTable(found);
  }
}
