package dev.vramscope.explain.host;

import dev.vramscope.model.ByteText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Processes of a host with their memory, as a report lists them. */
final class ProcessTable {
  private static final int MOST_NUMBERS = 20;
  private static final int LONGEST_COMMAND = 80;

  /**
   * A row.
   *
   * @param bytes in memory
   */
  record Row(String pid, String command, long bytes) {}

  private final List<Row> rows;

  ProcessTable(List<Row> rows) {
    this.rows = List.copyOf(rows);
  }

  /** What all processes hold together; 0 without any. */
  long bytes() {
    return rows.stream().mapToLong(Row::bytes).sum();
  }

  /**
   * Who held most of the memory, as a sentence.
   *
   * @param allBytes of which the processes of one command hold most
   * @return empty if those of no command hold most of it
   */
  Optional<String> most(long allBytes) {
    Map<String, List<Row>> commands =
        rows.stream()
            .collect(Collectors.groupingBy(Row::command, LinkedHashMap::new, Collectors.toList()));
    return commands.values().stream()
        .map(ProcessTable::new)
        .filter(command -> command.bytes() > allBytes / 2)
        .findFirst()
        .map(ProcessTable::sentence);
  }

  /** Whether the processes count pages several times that they share. */
  boolean exceeds(long allBytes) {
    return bytes() > allBytes;
  }

  private String sentence() {
    String command = rows.getFirst().command();
    List<String> numbers =
        new ArrayList<>(rows.stream().map(Row::pid).limit(MOST_NUMBERS).toList());
    if (numbers.size() < rows.size()) {
      numbers.add("…");
    }
    return "Most of it was held by "
        + (rows.size() == 1 ? "one process" : rows.size() + " processes")
        + " of "
        + (command.length() > LONGEST_COMMAND
            ? command.substring(0, LONGEST_COMMAND) + "…"
            : command)
        + ": "
        + ByteText.of(bytes())
        + " ("
        + String.join(", ", numbers)
        + ")"
        + largest().map(row -> "; " + row.pid() + " alone " + ByteText.of(row.bytes())).orElse("")
        + ".";
  }

  /** The largest of several, if it is larger than the others. */
  private Optional<Row> largest() {
    List<Row> sorted = rows.stream().sorted((a, b) -> Long.compare(b.bytes(), a.bytes())).toList();
    return sorted.size() > 1 && sorted.get(0).bytes() > 1.5 * sorted.get(1).bytes()
        ? Optional.of(sorted.get(0))
        : Optional.empty();
  }
}
