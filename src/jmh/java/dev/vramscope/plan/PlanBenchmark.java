package dev.vramscope.plan;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
 * Budget P8: plans from two recordings of a million events, on two threads. Run with {@code
 * script/bench PlanBenchmark -Dvramscope.bench.file=F}, where F is the path of such a snapshot. The
 * second recording is the first with half as much again of everything above 1 MiB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 7)
@Fork(1)
public class PlanBenchmark {
  private static final int THREADS = 2;
  private static final long GROWING_BYTES = 1 << 20;
  private static final String LENGTH = "length";
  private static final DeviceSize DEVICE = DeviceSize.of(160L << 30, 1L << 30);
  private static final List<Variant.Caching> SETTINGS =
      Stream.of(
              "",
              "expandable_segments:True",
              "max_split_size_mb:128",
              "max_split_size_mb:512",
              "roundup_power2_divisions:8",
              "large_segment_size_mb:64",
              "expandable_segments:True,roundup_power2_divisions:8",
              "garbage_collection_threshold:0.8")
          .map(Variant.Caching::new)
          .toList();

  private Snapshot small;
  private Snapshot large;

  /** Reads the file once. */
  @Setup
  public void read() throws IOException, FormatException {
    Path file = Path.of(System.getProperty("vramscope.bench.file", "snap_1m.pickle"));
    try (InputStream in = Files.newInputStream(file)) {
      small = ofKnownRelease(TorchPickleReader.read(in, ReadLimits.defaults()));
    }
    DeviceSnapshot device = small.devices().getFirst();
    large =
        new Snapshot(
            small.origin(),
            small.settings(),
            List.of(new DeviceSnapshot(0, List.of(), grown(device.trace()), List.of())),
            small.stacks(),
            List.of());
  }

  /** Of a file that names no release, one recording is replayed first to find its rules. */
  private static Snapshot ofKnownRelease(Snapshot file) {
    return new Snapshot(
        new Origin(file.origin().format(), "PyTorch 2.14", file.origin().captureMicros()),
        file.settings(),
        file.devices(),
        file.stacks(),
        file.findings());
  }

  private static Trace grown(Trace trace) {
    Trace.Builder grown = new Trace.Builder();
    for (int event = 0; event < trace.size(); event++) {
      TraceAction action = trace.action(event);
      long bytes = trace.bytes(event);
      int row =
          grown.add(
              action,
              trace.address(event),
              bytes > GROWING_BYTES && !action.name().startsWith("SEGMENT")
                  ? bytes + bytes / 2
                  : bytes);
      grown.stack(row, trace.stack(event));
      grown.stream(row, trace.stream(event));
      PoolId pool = trace.pool(event);
      if (pool != null) {
        grown.pool(row, pool);
      }
    }
    return grown.build();
  }

  private Plan plan() throws PlanRefusedException {
    return Plan.of(
        List.of(
            SizedRecording.of(
                "small",
                ParameterValues.of(LENGTH, 1024),
                SnapshotInspection.of(small).devices().getFirst()),
            SizedRecording.of(
                "large",
                ParameterValues.of(LENGTH, 1536),
                SnapshotInspection.of(large).devices().getFirst())),
        new Progress());
  }

  /** From two loaded snapshots to the peaks at one value, with growth and what it stands on. */
  @Benchmark
  public PlanAnswer answer() throws PlanRefusedException {
    return answer(new PlanQuestion(LENGTH, Map.of(LENGTH, 2048L), List.of(), List.of()));
  }

  /** The largest value for one device under eight settings, and all that a page shows. */
  @Benchmark
  public PlanAnswer bisectionsOfEightSettings() throws PlanRefusedException {
    return answer(new PlanQuestion(LENGTH, Map.of(), List.of(DEVICE), SETTINGS));
  }

  private PlanAnswer answer(PlanQuestion question) throws PlanRefusedException {
    return PlanAnswer.of(plan(), question, new Progress(), THREADS);
  }
}
