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
 * BFC with few and with many blocks, one thread, preallocated pool. {@code script/bench-allocator}
 * measures budget A3 itself with a recorded trace; here sizes are random, so most requests split a
 * chunk and most frees coalesce.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BfcBenchmark {
  private static final long POOL_BYTES = 1L << 40;

  /** Sizes are 256 to 511 bytes, shifted left by fewer bits than this: small sizes are frequent. */
  private static final int SIZE_SHIFTS = 15;

  /** The number of pre-computed random choices, a power of two. */
  private static final int CHOICES = 1 << 16;

  @Param({"400", "100000"})
  private int blocks = 400;

  private final BfcAllocator allocator =
      BfcAllocator.forReplay(
          BfcOptions.of("benchmark", POOL_BYTES),
          new SimSubAllocator(SubAllocatorSettings.ofCapacity(POOL_BYTES)));
  private final long[] bytes = new long[CHOICES];
  private final int[] index = new int[CHOICES];
  private long[] live = {};
  private int step;

  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < CHOICES; i++) {
      bytes[i] = (256L + random.nextInt(256)) << random.nextInt(SIZE_SHIFTS);
      index[i] = random.nextInt(blocks);
    }
    live = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      live[i] = allocator.allocate(bytes[i % CHOICES], 0);
    }
  }

  /** Allocates and frees one size: splits and coalesces each time. */
  @Benchmark
  public long steadyHit() {
    long block = allocator.allocate(64 << 10, 0);
    allocator.free(block);
    return block;
  }

  /** Frees a random block and allocates a random size. */
  @Benchmark
  public long churn() {
    int choice = step++ & (CHOICES - 1);
    int i = index[choice];
    allocator.free(live[i]);
    live[i] = allocator.allocate(bytes[choice], 0);
    return live[i];
  }

  /** Finds a random live block by its address. */
  @Benchmark
  public @Nullable BlockView blockAt() {
    int choice = step++ & (CHOICES - 1);
    return allocator.blockAt(allocator.address(live[index[choice]]));
  }
}
