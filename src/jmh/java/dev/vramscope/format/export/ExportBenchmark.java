package dev.vramscope.format.export;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Writes a trace of one million events as a PyTorch pickle. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 7)
@Fork(1)
public class ExportBenchmark {
  private static final int STACKS = 3000;
  private static final int FRAMES = 1800;

  @Param("1000000")
  private int events;

  @Param("40")
  private int depth;

  private Snapshot snapshot;

  @Setup
  public void createSnapshot() {
    SplittableRandom random = new SplittableRandom(1);
    StackTable.Builder stacks = new StackTable.Builder();
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < STACKS; i++) {
      List<Frame> frames = new ArrayList<>();
      for (int f = 0; f < depth; f++) {
        int number = random.nextInt(FRAMES);
        frames.add(new Frame("function_" + number, "model/file_" + number % 40 + ".py", number));
      }
      ids.add(stacks.stack(frames));
    }
    Trace.Builder trace = new Trace.Builder();
    for (int i = 0; i < events; i++) {
      int row =
          trace.add(
              TraceAction.ofCode((byte) (i % 3)), 0x7f00_0000_0000L + 512L * i, random.nextInt());
      trace.stack(row, ids.get(random.nextInt(STACKS)));
      trace.timeMicros(row, 1_771_267_191_145_495L + i);
      trace.pool(row, PoolId.DEFAULT);
    }
    snapshot =
        new Snapshot(
            new Origin("", "", Trace.NO_TIME),
            Optional.empty(),
            List.of(new DeviceSnapshot(0, List.of(), trace.build(), List.of())),
            stacks.build(),
            List.of());
  }

  @Benchmark
  public long write() throws IOException {
    CountingStream out = new CountingStream();
    TorchPickleWriter.write(snapshot, out);
    return out.bytes;
  }

  private static final class CountingStream extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] b, int from, int length) {
      bytes += length;
    }
  }
}
