package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * BFC with few and with many blocks, one thread, all the pool at once. A3 itself is measured with a
 * recorded trace, by {@code script/bench-allocator}; here the sizes have no pattern, so most
 * requests split a chunk and most frees coalesce.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BfcBenchmark {
  private static final long POOL_BYTES = 1L << 40;

  /** Sizes from 256 bytes to below this many times as much, small ones more often. */
  private static final int LOG2_MOST_UNITS = 15;

  /** Choices are drawn beforehand: a power of two. */
  private static final int CHOICES = 1 << 16;

  @Param({"400", "100000"})
  private int blocks = 400;

  private final BfcAllocator allocator =
      BfcAllocator.forReplay(
          new BfcOptions("benchmark", POOL_BYTES, false, false, true, 0, false),
          new SimSubAllocator(SubAllocatorSettings.ofCapacity(POOL_BYTES)));
  private final long[] bytes = new long[CHOICES];
  private final int[] place = new int[CHOICES];
  private long[] live = {};
  private int step;

  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < CHOICES; i++) {
      bytes[i] = (256L + random.nextInt(256)) << random.nextInt(LOG2_MOST_UNITS);
      place[i] = random.nextInt(blocks);
    }
    live = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      live[i] = allocator.allocate(bytes[i % CHOICES], 0);
    }
  }

  /** Allocates and frees one size over and over: splits and coalesces each time. */
  @Benchmark
  public long steadyHit() {
    long block = allocator.allocate(64 << 10, 0);
    allocator.free(block);
    return block;
  }

  /** Frees any block and allocates another size. */
  @Benchmark
  public long churn() {
    int choice = step++ & (CHOICES - 1);
    int at = place[choice];
    allocator.free(live[at]);
    live[at] = allocator.allocate(bytes[choice], 0);
    return live[at];
  }

  /** Looks for any live block by its address. */
  @Benchmark
  public @Nullable BlockView blockAt() {
    int choice = step++ & (CHOICES - 1);
    return allocator.blockAt(allocator.address(live[place[choice]]));
  }
}
