package dev.vramscope.allocator.caching.statistics;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Converts an allocator's statistics to the form of {@code torch.cuda.memory_stats()}: flat keys in
 * alphabetical order, such as {@code allocated_bytes.all.current}.
 */
public final class MemoryStats {
  private MemoryStats() {}

  /** All counters; as in PyTorch, an unlimited {@code max_split_size} is -1. */
  public static SortedMap<String, Long> of(StatisticsView statistics) {
    SortedMap<String, Long> stats = new TreeMap<>();
    for (Statistic statistic : Statistic.values()) {
      put(stats, statistic.torchName(), statistics.get(statistic));
    }
    statistics
        .reservedByPrivatePool()
        .forEach(
            (pool, value) ->
                put(
                    stats,
                    "reserved_bytes_by_private_pools." + pool.graph() + "_" + pool.user(),
                    value));
    put(stats, "oversize_allocations", statistics.oversizeAllocations());
    put(stats, "oversize_segments", statistics.oversizeSegments());
    stats.put("max_split_size", statistics.maxSplitBytes());
    stats.put("num_alloc_retries", statistics.allocRetryCount());
    stats.put("num_device_alloc", statistics.deviceAllocCount());
    stats.put("num_device_free", statistics.deviceFreeCount());
    stats.put("num_oom_rejections", statistics.outOfMemoryRejectionCount());
    stats.put("num_ooms", statistics.outOfMemoryCount());
    stats.put("num_sync_all_streams", statistics.syncAllStreamsCount());
    return stats;
  }

  private static void put(SortedMap<String, Long> stats, String name, StatArray value) {
    put(stats, name + ".all", value.all());
    put(stats, name + ".small_pool", value.smallPool());
    put(stats, name + ".large_pool", value.largePool());
  }

  private static void put(SortedMap<String, Long> stats, String name, Stat stat) {
    stats.put(name + ".current", stat.current());
    stats.put(name + ".peak", stat.peak());
    stats.put(name + ".allocated", stat.allocated());
    stats.put(name + ".freed", stat.freed());
  }
}
