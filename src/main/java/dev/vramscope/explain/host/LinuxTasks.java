package dev.vramscope.explain.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of tasks that the Linux kernel writes before it kills one: the resident memory of each,
 * in pages.
 */
final class LinuxTasks {
  /** Names of columns behind the first one; later kernels have more of them. */
  private static final Pattern HEAD =
      Pattern.compile(
          "\\[ {0,9}pid {0,9}\\]((?: {1,9}[a-z_]{2,20}){4,16})[ \\t]{0,9}\\r?(?:\\n|$)");

  private static final Pattern ROW =
      Pattern.compile(
          "\\[ {0,9}([0-9]{1,10})\\]((?: {1,20}-?[0-9]{1,20}){4,16}) {1,9}(\\S[^\\n]{0,60})");

  private static final int MOST_ROWS = 10_000;

  /** Other lines between two rows, such as those of other programs in the journal. */
  private static final int MOST_OTHER_LINES = 5;

  /** Of x86-64, and of most others. */
  private static final int PAGE_BYTES = 4096;

  private LinuxTasks() {}

  /**
   * The last table of a text that begins above a line; without rows if there is none.
   *
   * @param line from 1
   */
  static ProcessTable before(String text, int line) {
    Matcher head = HEAD.matcher(text);
    int lines = 1;
    int counted = 0;
    int last = -1;
    while (head.find()) {
      for (int at = text.indexOf('\n', counted); at >= 0 && at < head.start(); ) {
        lines++;
        counted = at + 1;
        at = text.indexOf('\n', counted);
      }
      if (lines > line && last >= 0) {
        break; // An excerpt may have its only table below the first of its lines.
      }
      last = head.start();
    }
    return last < 0 ? new ProcessTable(List.of()) : of(text.substring(last));
  }

  private static ProcessTable of(String text) {
    List<ProcessTable.Row> found = new ArrayList<>();
    Matcher head = HEAD.matcher(text);
    if (head.find()) {
      List<String> columns = Arrays.asList(head.group(1).strip().split(" +"));
      int resident = columns.indexOf("rss");
      int others = 0;
      int at = head.end();
      while (resident >= 0 && found.size() < MOST_ROWS && others < MOST_OTHER_LINES) {
        int end = text.indexOf('\n', at);
        if (HEAD.matcher(text).region(at, end < 0 ? text.length() : end).find()) {
          break; // That of another kill.
        }
        Matcher row = ROW.matcher(text).region(at, end < 0 ? text.length() : end);
        if (row.find()) {
          String[] numbers = row.group(2).strip().split(" +");
          if (resident < numbers.length) {
            long pages = parsed(numbers[resident]);
            found.add(new ProcessTable.Row(row.group(1), row.group(3).strip(), pages * PAGE_BYTES));
          }
        } else {
          others++;
        }
        if (end < 0) {
          break;
        }
        at = end + 1;
      }
    }
    return new ProcessTable(found);
  }

  /** A number of pages; 0 if no host has as many. */
  private static long parsed(String number) {
    long pages = number.length() > 15 ? 0 : Long.parseLong(number);
    return Math.clamp(pages, 0, Long.MAX_VALUE / PAGE_BYTES / MOST_ROWS);
  }
}
