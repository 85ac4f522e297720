package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Budget I1: reads a pickle from the page cache into columns, on one thread. Run with {@code
 * script/bench PickleRead -Dvramscope.bench.file=F}, where F is the path of a snapshot of one
 * million events. The throughput is the file size divided by the reported time.
 *
 * <p>Before each reading, CPython loads the same file once, with its garbage collector off: the
 * speed of a shared machine changes within a run. At the end, the median CPU times of the measured
 * readings and their ratio are printed.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = PickleReadBenchmark.READINGS)
@Fork(1)
public class PickleReadBenchmark {
  private static final ReadLimits LIMITS = ReadLimits.defaults();

  private static final String PYTHON =
      """
      import gc, pickle, sys, time
      gc.disable()
      start = time.process_time_ns()
      with open(sys.argv[1], 'rb') as f:
          snapshot = pickle.load(f)
      print(time.process_time_ns() - start)
      """;

  static final int READINGS = 15;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<Long> pythonNanos = new ArrayList<>();
  private final List<Long> readNanos = new ArrayList<>();
  private Path file = Path.of("");

  @Setup
  public void findFile() throws IOException {
    String name = System.getProperty("vramscope.bench.file");
    if (name == null) {
      throw new IllegalArgumentException("missing option: -Dvramscope.bench.file=SNAPSHOT.pickle");
    }
    file = Path.of(name);
    System.out.printf("# %s: %,d bytes%n", file.getFileName(), Files.size(file));
  }

  @Setup(Level.Iteration)
  public void measurePython() throws IOException, InterruptedException {
    Process python =
        new ProcessBuilder("python3", "-c", PYTHON, file.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (python.waitFor() != 0) {
      throw new IOException("python3 failed: " + output);
    }
    pythonNanos.add(Long.parseLong(output.strip()));
  }

  @Benchmark
  public Snapshot read() throws FormatException, IOException {
    long start = threads.getCurrentThreadCpuTime();
    try (InputStream in = Files.newInputStream(file)) {
      return TorchPickleReader.read(in, LIMITS);
    } finally {
      readNanos.add(threads.getCurrentThreadCpuTime() - start);
    }
  }

  @TearDown
  public void compare() {
    long[] python = measured(pythonNanos);
    long[] read = measured(readNanos);
    System.out.printf(
        "%n# CPU time, median (minimum to maximum): CPython's pickle.load %s, vramscope %s;"
            + " ratio of the medians %.2f%n",
        milliseconds(python),
        milliseconds(read),
        (double) python[python.length / 2] / read[read.length / 2]);
  }

  // Without the warm-up, in ascending order.
  private static long[] measured(List<Long> nanos) {
    return nanos.stream()
        .skip(Math.max(0, nanos.size() - READINGS))
        .mapToLong(Long::longValue)
        .sorted()
        .toArray();
  }

  private static String milliseconds(long[] nanos) {
    return String.format(
        Locale.ROOT,
        "%.0f ms (%.0f to %.0f)",
        nanos[nanos.length / 2] / 1e6,
        nanos[0] / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }
}
