package dev.vramscope.recorder;

import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.TraceAction;
import java.time.InstantSource;
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

/**
 * Budgets A4 and A6 in docs/benchmarks.md: the overhead of recording for an allocate and free pair
 * of the caching allocator, and the share of the clock in it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HistoryBenchmark {
  @Param({"OFF", "STATE", "ALL"})
  private Recording recording = Recording.OFF;

  private final Recorder recorder = new Recorder(InstantSource.system());
  private final RecordedAllocator recorded =
      recorder.attach(new CachingAllocator(SimDevice.ofBytes(1L << 34), CachingOptions.of("")), 0);

  @Setup
  public void startRecording() {
    recorder.recordHistory(HistorySettings.all().with(recording));
  }

  /** A cache hit and its free: three events, in a scope. */
  @Benchmark
  public long pair() {
    try (var _ = recorder.scope("step")) {
      long block = recorded.allocate(64 << 10, 0);
      recorded.free(block);
      return block;
    }
  }

  /** One event, without the allocator and its lock. */
  @Benchmark
  public void event() {
    recorded.history().event(TraceAction.ALLOC, 0x7f00_0000_0000L, 1000, 0, 0);
  }

  @Benchmark
  public long clock() {
    return System.nanoTime();
  }
}
