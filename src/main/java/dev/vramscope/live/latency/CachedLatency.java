package dev.vramscope.live.latency;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.device.Device;
import dev.vramscope.device.Streams;
import java.util.List;

/** Times cache hits of a caching allocator. No memory remains allocated. */
final class CachedLatency {
  /** The segment size that the allocator acquires for blocks of less than half this size. */
  static final long MIN_SEGMENT_BYTES = 20L << 20;

  /** Enough iterations for the JIT compiler. */
  private static final int WARM_UP = 20_000;

  private final Device device;
  private final LatencyPlan plan;

  CachedLatency(Device device, LatencyPlan plan) {
    this.device = device;
    this.plan = plan;
  }

  List<LatencyDistribution> measure(long bytes) {
    Allocator allocator = new CachingAllocator(device, CachingOptions.of(""));
    Stopwatch allocate = new Stopwatch();
    Stopwatch free = new Stopwatch();
    try {
      for (int i = -WARM_UP; i < plan.cachedSamples(); i++) {
        if (i == 0) {
          allocate.reset();
          free.reset();
        }
        allocate.begin();
        long block = allocator.allocate(bytes, Streams.DEFAULT);
        allocate.end();
        free.begin();
        allocator.free(block);
        free.end();
      }
    } finally {
      allocator.emptyCache();
    }
    return List.of(
        allocate.distribution(TimedOperation.CACHED_ALLOCATE, bytes),
        free.distribution(TimedOperation.CACHED_FREE, bytes));
  }
}
