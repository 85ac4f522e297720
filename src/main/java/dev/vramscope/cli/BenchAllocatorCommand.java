package dev.vramscope.cli;

import com.sun.management.ThreadMXBean;
import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.replay.BenchTrace;
import dev.vramscope.replay.ReplayConfig;
import dev.vramscope.replay.TraceKind;
import dev.vramscope.replay.TraceReplay;
import java.io.IOException;
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
  private static final String STEADY_HIT = "hit:";
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
            Set.of(TraceOptions.ALLOCATOR, TraceOptions.CONFIG),
            Set.of(HISTORY, REPLAY),
            USAGE);
    TraceKind kind = TraceOptions.kind(given);
    ReplayConfig config = TraceOptions.config(given);
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
    measure(trace(given.subject()), allocator, out);
    return DONE;
  }

  private static BenchTrace trace(String subject) throws IOException {
    return subject.startsWith(STEADY_HIT)
        ? BenchTrace.repeatedHit(hitBytes(subject.substring(STEADY_HIT.length())))
        : BenchTrace.read(Path.of(subject));
  }

  private static long hitBytes(String text) {
    try {
      long bytes = Long.parseLong(text);
      if (bytes > 0) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // Rejected below, like a number that is too small.
    }
    throw new UsageException(
        STEADY_HIT + " needs a positive number of bytes after it, not '" + text + "'.");
  }

  /** Reading, decoding, allocating on a new allocator, and writing records to nowhere. */
  private static void measureReplay(
      TraceReplay replay, ReplayConfig config, Path trace, PrintStream out) throws IOException {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long operations = BenchTrace.operationsIn(trace);
    double[] millions = new double[RUNS];
    for (int i = -WARM_UP_RUNS; i < RUNS; i++) {
      long before = thread.getCurrentThreadCpuTime();
      replay.replay(config, trace, OutputStream.nullOutputStream());
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
