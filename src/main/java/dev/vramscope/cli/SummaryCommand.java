package dev.vramscope.cli;

import dev.vramscope.analysis.SummaryTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Prints the table of {@code torch.cuda.memory_summary()} for counters dumped as JSON. */
public final class SummaryCommand implements Command {
  private static final String USAGE = "Usage: summary [--abbreviated] STATS.json";

  /** A dump does not say which device it is of; torch's own default is this one. */
  private static final int DEVICE = 0;

  @Override
  public int run(List<String> arguments, PrintStream out) throws IOException {
    boolean abbreviated = arguments.contains("--abbreviated");
    List<String> files =
        arguments.stream().filter(argument -> !argument.equals("--abbreviated")).toList();
    if (files.size() != 1 || files.getFirst().startsWith("--")) {
      throw new UsageException(USAGE);
    }
    Path file = Path.of(files.getFirst());
    SummaryTable table = new SummaryTable(DEVICE, StatsFile.read(file));
    List<String> missing = abbreviated ? table.missingAbbreviated() : table.missing();
    if (!missing.isEmpty()) {
      throw new IOException(
          file
              + " lacks "
              + missing.size()
              + " of the counters in the table, first "
              + missing.getFirst()
              + ". Dump torch.cuda.memory_stats() whole"
              + (abbreviated ? "." : ", or try --abbreviated."));
    }
    out.print(abbreviated ? table.abbreviated() : table.full());
    return DONE;
  }
}
