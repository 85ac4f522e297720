package dev.vramscope.cli;

import com.sun.management.ThreadMXBean;
import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.history.History;
import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Option;
import dev.vramscope.cli.arguments.UsageException;
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
 * Measures an allocator with a trace: nanoseconds per allocation and free, and garbage. The trace
 * runs repeatedly on one allocator; the first runs are not counted.
 */
public final class BenchAllocatorCommand implements Command {
  private static final String HISTORY = "--history";
  private static final String REPLAY = "--replay";
  private static final String STEADY_HIT = "hit:";
  private static final Description DESCRIPTION =
      new Description(
          "bench-allocator",
          "Measures an allocator with a trace: nanoseconds per allocation and free, and garbage",
          "TRACE|hit:BYTES",
          "hit:BYTES allocates and frees one size repeatedly.",
          "bench-allocator hit:1048576 --allocator bfc",
          List.of(
              TraceOptions.ALLOCATOR_OPTION,
              TraceOptions.CONFIG_OPTION,
              Option.flag(HISTORY, "Records the history, as PyTorch does"),
              Option.flag(REPLAY, "Measures the complete replay, with reading and printing")));
  private static final int WARM_UP_RUNS = 6;
  private static final int RUNS = 9;
  private static final int HISTORY_ENTRIES = 100_000;

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    TraceKind kind = TraceOptions.kind(arguments);
    ReplayConfig config = TraceOptions.config(arguments);
    kind.warnings(config).forEach(System.err::println);
    if (arguments.has(REPLAY)) {
      measureReplay(kind.replay(), config, Path.of(arguments.operand()), out);
      return DONE;
    }
    Allocator allocator = kind.allocator(config);
    if (arguments.has(HISTORY)) {
      if (!(allocator instanceof CachingAllocator caching)) {
        throw new UsageException("Only the caching allocator has a history.");
      }
      caching.history().start(HISTORY_ENTRIES, History.EarlierEntries.REMOVE, Set.of());
    }
    measure(trace(arguments.operand()), allocator, out);
    return DONE;
  }

  private static BenchTrace trace(String operand) throws IOException {
    return operand.startsWith(STEADY_HIT)
        ? BenchTrace.repeatedHit(hitBytes(operand.substring(STEADY_HIT.length())))
        : BenchTrace.read(Path.of(operand));
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

  /** Measures a complete replay: reading, decoding, allocating, and formatting the records. */
  private static void measureReplay(
      TraceReplay replay, ReplayConfig config, Path trace, PrintStream out) throws IOException {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long operations = BenchTrace.operationsIn(trace);
    double[] millionsPerSecond = new double[RUNS];
    for (int i = -WARM_UP_RUNS; i < RUNS; i++) {
      long before = thread.getCurrentThreadCpuTime();
      replay.replay(config, trace, OutputStream.nullOutputStream());
      if (i >= 0) {
        millionsPerSecond[i] = 1e3 * operations / (thread.getCurrentThreadCpuTime() - before);
      }
    }
    report(out, "replay M operations/cpu s", millionsPerSecond);
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
        "%d pairs, %d runs after %d warm-up runs; median (min .. max)%n",
        trace.pairs(),
        RUNS,
        WARM_UP_RUNS);
    report(out, "cpu  ns/pair", cpu);
    report(out, "wall ns/pair", wall);
    report(out, "garbage bytes/operation", garbage);
  }

  private static void report(PrintStream out, String label, double[] values) {
    Arrays.sort(values);
    out.printf(
        Locale.ROOT,
        "%-26s %8.2f  (%.2f .. %.2f)%n",
        label,
        values[values.length / 2],
        values[0],
        values[values.length - 1]);
  }
}
