package dev.vramscope.allocator.pinned;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All statistics of a pinned allocator at one moment, as PyTorch defines them.
 *
 * @param activeRequests blocks that are allocated, or freed and still used by a stream
 * @param activeBytes the sum of their sizes
 * @param allocations blocks that are active or cached
 * @param allocatedBytes the sum of their sizes
 * @param allocateTime of the driver calls that allocated memory
 * @param freeTime of the driver calls that freed memory
 */
public record PinnedStatistics(
    PinnedStat activeRequests,
    PinnedStat activeBytes,
    PinnedStat allocations,
    PinnedStat allocatedBytes,
    DriverTime allocateTime,
    DriverTime freeTime) {
  /** By name, as {@code torch.cuda.host_memory_stats()} returns them; times in microseconds. */
  public SortedMap<String, Long> byTorchName() {
    SortedMap<String, Long> stats = new TreeMap<>();
    put(stats, "active_requests", activeRequests);
    put(stats, "active_bytes", activeBytes);
    put(stats, "allocations", allocations);
    put(stats, "allocated_bytes", allocatedBytes);
    put(stats, "host_alloc_time", allocateTime);
    put(stats, "host_free_time", freeTime);
    stats.put("num_host_alloc", allocateTime.count());
    stats.put("num_host_free", freeTime.count());
    return stats;
  }

  private static void put(SortedMap<String, Long> stats, String name, PinnedStat stat) {
    stats.put(name + ".current", stat.current());
    stats.put(name + ".peak", stat.peak());
    stats.put(name + ".allocated", stat.allocated());
    stats.put(name + ".freed", stat.freed());
  }

  private static void put(SortedMap<String, Long> stats, String name, DriverTime time) {
    stats.put(name + ".total", time.totalMicros());
    stats.put(name + ".max", time.maxMicros());
    stats.put(name + ".min", time.minMicros());
    stats.put(name + ".count", time.count());
    stats.put(name + ".avg", time.averageMicros());
  }
}
