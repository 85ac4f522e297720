package dev.vramscope.cli.replay;

import com.sun.management.ThreadMXBean;
import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.cli.Arguments;
import dev.vramscope.cli.Command;
import dev.vramscope.cli.InputException;
import dev.vramscope.cli.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Measures an allocator with a trace: nanoseconds for an allocation with its free, and garbage. The
 * trace runs on one allocator again and again; the first runs are not counted.
 */
public final class BenchAllocatorCommand implements Command {
  private static final String HISTORY = "--history";
  private static final String REPLAY = "--replay";
  private static final String USAGE =
      "Usage: bench-allocator TRACE|hit:BYTES [--config FILE] [--history] [--replay] [--allocator"
          + " caching|bfc]";
  private static final int WARM_UP_RUNS = 6;
  private static final int RUNS = 9;
  private static final int HISTORY_ENTRIES = 100_000;

  @Override
  public int run(List<String> arguments, PrintStream out) throws IOException {
    Arguments given =
        Arguments.of(
            arguments,
            Set.of(TraceKind.OPTION, ReplayConfig.OPTION),
            Set.of(HISTORY, REPLAY),
            USAGE);
    TraceKind kind = TraceKind.of(given);
    ReplayConfig config = ReplayConfig.of(given);
    kind.warnings(config).forEach(System.err::println);
    if (given.has(REPLAY)) {
      measureReplay(kind.replay(), config, Path.of(given.subject()), out);
      return DONE;
    }
    Allocator allocator = kind.allocator(config);
    if (given.has(HISTORY)) {
      if (!(allocator instanceof CachingAllocator caching)) {
        throw new UsageException("Only the caching allocator has a history.");
      }
      caching.history().start(HISTORY_ENTRIES, true, Set.of());
    }
    measure(BenchTrace.read(given.subject()), allocator, out);
    return DONE;
  }

  /** Reading, decoding, allocating on a new allocator, and writing records to nowhere. */
  private static void measureReplay(
      TraceReplay replay, ReplayConfig config, Path trace, PrintStream out) throws IOException {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long operations = 0;
    try (InputStream in = TraceInput.open(trace)) {
      for (TraceLines lines = new TraceLines(in); lines.next(); ) {
        operations++;
      }
    }
    if (operations == 0) {
      throw new InputException(trace + ": there is no operation in it.");
    }
    double[] millions = new double[RUNS];
    for (int i = -WARM_UP_RUNS; i < RUNS; i++) {
      long before = thread.getCurrentThreadCpuTime();
      try (InputStream in = TraceInput.open(trace)) {
        replay.replay(config, in, OutputStream.nullOutputStream());
      } catch (TraceLineException e) {
        throw e.in(trace);
      }
      if (i >= 0) {
        millions[i] = 1e3 * operations / (thread.getCurrentThreadCpuTime() - before);
      }
    }
    report(out, "replay M operations/cpu s", millions);
  }

  private static void measure(BenchTrace trace, Allocator allocator, PrintStream out) {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < WARM_UP_RUNS; i++) {
      trace.run(allocator);
    }
    double[] wall = new double[RUNS];
    double[] cpu = new double[RUNS];
    double[] garbage = new double[RUNS];
    for (int i = 0; i < RUNS; i++) {
      long wallBefore = System.nanoTime();
      long cpuBefore = thread.getCurrentThreadCpuTime();
      long garbageBefore = thread.getCurrentThreadAllocatedBytes();
      trace.run(allocator);
      garbage[i] =
          (double) (thread.getCurrentThreadAllocatedBytes() - garbageBefore) / trace.operations();
      cpu[i] = (double) (thread.getCurrentThreadCpuTime() - cpuBefore) / trace.pairs();
      wall[i] = (double) (System.nanoTime() - wallBefore) / trace.pairs();
    }
    out.printf(
        Locale.ROOT,
        "%d pairs, %d runs after %d to warm up; median (min .. max)%n",
        trace.pairs(),
        RUNS,
        WARM_UP_RUNS);
    report(out, "cpu  ns/pair", cpu);
    report(out, "wall ns/pair", wall);
    report(out, "garbage bytes/operation", garbage);
  }

  private static void report(PrintStream out, String what, double[] values) {
    Arrays.sort(values);
    out.printf(
        Locale.ROOT,
        "%-26s %8.2f  (%.2f .. %.2f)%n",
        what,
        values[values.length / 2],
        values[0],
        values[values.length - 1]);
  }
}
