package dev.vramscope.whatif;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.replays.WhatIf;
import dev.vramscope.whatif.replays.WhatIfRow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
 * Budgets P2 and P4: replays of a snapshot under other settings, on two threads. Run with {@code
 * script/bench WhatIf -Dvramscope.bench.file=F}, where F is the path of a snapshot of one million
 * events. The first iterations include the compilation of the allocators, as the first what-if of a
 * service does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 9)
@Fork(1)
public class WhatIfBenchmark {
  private static final int THREADS = 2;

  private Snapshot snapshot;
  private DeviceSnapshot device;
  private RecordedRun run;

  /** Reads the file once; only the replays are measured. */
  @Setup
  public void read() throws IOException, FormatException {
    Path file = Path.of(System.getProperty("vramscope.bench.file", "snap_1m.pickle"));
    try (InputStream in = Files.newInputStream(file)) {
      snapshot = TorchPickleReader.read(in, ReadLimits.defaults());
    }
    device = snapshot.devices().getFirst();
    run = RecordedRun.of(snapshot, device);
  }

  @Benchmark
  public RecordedRun decode() {
    return RecordedRun.of(snapshot, device);
  }

  @Benchmark
  public Outcome oneRow() {
    return Replay.run(run, new Variant.Caching(""), DeviceSize.UNLIMITED, new Progress());
  }

  @Benchmark
  public List<WhatIfRow> usualRows() {
    return rows(Combinations.usual("", false));
  }

  @Benchmark
  public List<WhatIfRow> searchedRows() {
    return rows(Combinations.searched(""));
  }

  private List<WhatIfRow> rows(List<Variant> variants) {
    return new WhatIf(run, DeviceSize.UNLIMITED, variants).run(THREADS);
  }
}
