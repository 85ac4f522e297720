package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Budget I1: reads a pickle from the page cache into columns, on one thread. Run with {@code
 * script/bench PickleRead -Dvramscope.bench.file=F}, where F is the path of a snapshot of one
 * million events. The throughput is the file size divided by the reported time. The time of
 * CPython's {@code pickle.load} with its garbage collector off is printed first, from the same run.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 15)
@Fork(1)
public class PickleReadBenchmark {
  private static final ReadLimits LIMITS = ReadLimits.defaults();

  private static final String PYTHON =
      """
      import gc, pickle, sys, time
      gc.disable()
      def load():
          start = time.perf_counter()
          with open(sys.argv[1], 'rb') as f:
              pickle.load(f)
          return time.perf_counter() - start
      print(f'{1000 * min(load() for _ in range(3)):.0f} ms')
      """;

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

  @Setup
  public void measurePython() throws IOException, InterruptedException {
    Process python =
        new ProcessBuilder("python3", "-c", PYTHON, System.getProperty("vramscope.bench.file"))
            .redirectErrorStream(true)
            .start();
    String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.printf("# CPython's pickle.load, gc off, best of 3: %s%n", output.strip());
    if (python.waitFor() != 0) {
      throw new IOException("python3 failed: " + output);
    }
  }

  @Benchmark
  public Snapshot read() throws FormatException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return TorchPickleReader.read(in, LIMITS);
    }
  }
}
