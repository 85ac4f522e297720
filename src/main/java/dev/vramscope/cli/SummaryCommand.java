package dev.vramscope.cli;

import dev.vramscope.analysis.summary.SummaryTable;
import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Option;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.intake.SnapshotFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Prints the table of {@code torch.cuda.memory_summary()} for counters in a JSON file. */
public final class SummaryCommand implements Command {
  private static final String ABBREVIATED = "--abbreviated";
  private static final Description DESCRIPTION =
      new Description(
          "summary",
          "Prints the table of torch.cuda.memory_summary() for counters in a JSON file",
          "STATS.json",
          "Write the file with json.dump(torch.cuda.memory_stats(), open(\"stats.json\", \"w\")).",
          "summary stats.json --abbreviated",
          List.of(Option.flag(ABBREVIATED, "Prints the rows of memory_summary(abbreviated=True)")));

  /** The file does not contain the device; this is torch's default. */
  private static final int DEVICE = 0;

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    boolean abbreviated = arguments.has(ABBREVIATED);
    Path file = InputFile.of(arguments.operand());
    SummaryTable table = new SummaryTable(DEVICE, counters(file));
    List<String> missingCounters =
        abbreviated ? table.missingAbbreviated() : table.missingCounters();
    if (!missingCounters.isEmpty()) {
      throw new IOException(
          file
              + " does not have "
              + missingCounters.size()
              + " of the counters in the table, such as "
              + missingCounters.getFirst()
              + ". Write the complete torch.cuda.memory_stats()"
              + (abbreviated ? "." : ", or try --abbreviated."));
    }
    out.print(abbreviated ? table.abbreviated() : table.full());
    return DONE;
  }

  private static Map<String, Long> counters(Path file) throws IOException {
    try {
      return StatsFile.read(file);
    } catch (IOException noCounters) {
      if (isSnapshot(file)) {
        throw new IOException(
            file
                + " is a memory snapshot, not the output of torch.cuda.memory_stats(). What it"
                + " says, and why a request failed, is printed by: "
                + RejectedFile.report(file),
            noCounters);
      }
      throw noCounters;
    }
  }

  private static boolean isSnapshot(Path file) throws IOException {
    try {
      return SnapshotFile.read(file, ReadLimits.defaults()).snapshot().isPresent();
    } catch (FormatException other) {
      return false;
    }
  }
}
