package dev.vramscope.cli;

import dev.vramscope.analysis.SummaryTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Prints the table of {@code torch.cuda.memory_summary()} for counters dumped as JSON. */
public final class SummaryCommand implements Command {
  private static final String ABBREVIATED = "--abbreviated";
  private static final String USAGE = "Usage: summary [--abbreviated] STATS.json";

  /** A dump does not say which device it is of; torch's own default is this one. */
  private static final int DEVICE = 0;

  @Override
  public int run(List<String> arguments, PrintStream out) throws IOException {
    Arguments given = Arguments.of(arguments, Set.of(), Set.of(ABBREVIATED), USAGE);
    boolean abbreviated = given.has(ABBREVIATED);
    Path file = Path.of(given.subject());
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
