package dev.vramscope.explain.host;

import dev.vramscope.evidence.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of the largest processes of a node, which Ray writes when it ends a worker. */
final class RayTopProcesses {
  private static final Pattern HEAD = Pattern.compile("PID\\s{1,9}MEM\\(GB\\)\\s{1,9}COMMAND");

  private static final Pattern ROW =
      Pattern.compile("([0-9]{1,10})\\s{1,9}([0-9]{1,7}\\.[0-9]{1,3})\\s{1,9}(\\S[^\\n]{0,300})");

  private static final int MOST_ROWS = 20;
  private static final double GIB = 1 << 30;

  private RayTopProcesses() {}

  /** Processes of one command. */
  private static final class Command {
    private final List<String> processes = new ArrayList<>();
    private double gigabytes;
  }

  /**
   * Who held most of the memory, as a sentence.
   *
   * @param used of the node, by all processes
   * @return empty if the text has no table, or if no command holds most of it
   */
  static Optional<String> of(String text, Optional<Quantity> used) {
    Matcher head = HEAD.matcher(text);
    if (!head.find()) {
      return Optional.empty();
    }
    Map<String, Command> commands = new HashMap<>();
    double sum = 0;
    String[] rows = text.substring(head.end()).split("\n", MOST_ROWS + 2);
    for (int i = 1; i < Math.min(rows.length, MOST_ROWS + 1); i++) {
      Matcher row = ROW.matcher(rows[i]);
      if (!row.find()) {
        break;
      }
      double gigabytes = Double.parseDouble(row.group(2));
      Command command = commands.computeIfAbsent(row.group(3).strip(), _ -> new Command());
      command.processes.add(row.group(1));
      command.gigabytes += gigabytes;
      sum += gigabytes;
    }
    double all = used.map(bytes -> bytes.bytes() / GIB).orElse(sum);
    return commands.entrySet().stream()
        .filter(each -> each.getValue().gigabytes * 2 > all)
        .findFirst()
        .map(each -> sentence(each.getKey(), each.getValue()));
  }

  private static String sentence(String command, Command held) {
    int count = held.processes.size();
    return String.format(
        Locale.ROOT,
        "Most of it was held by %s of %s: %.2f GB (%s).",
        count == 1 ? "one process" : count + " processes",
        command.length() > 80 ? command.substring(0, 80) + "…" : command,
        held.gigabytes,
        String.join(", ", held.processes));
  }
}
