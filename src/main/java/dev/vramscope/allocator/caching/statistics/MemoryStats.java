package dev.vramscope.allocator.caching.statistics;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An allocator's statistics as {@code torch.cuda.memory_stats()} returns them: flat keys in
 * alphabetical order, such as {@code allocated_bytes.all.current}.
 */
public final class MemoryStats {
  private MemoryStats() {}

  /** All counters; an unlimited {@code max_split_size} is -1, as there. */
  public static SortedMap<String, Long> of(StatisticsView statistics) {
    SortedMap<String, Long> stats = new TreeMap<>();
    for (Statistic statistic : Statistic.values()) {
      put(stats, statistic.torchName(), statistics.figure(statistic));
    }
    statistics
        .reservedByPrivatePool()
        .forEach(
            (pool, figure) ->
                put(
                    stats,
                    "reserved_bytes_by_private_pools." + pool.graph() + "_" + pool.user(),
                    figure));
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

  private static void put(SortedMap<String, Long> stats, String name, StatArray figure) {
    put(stats, name + ".all", figure.all());
    put(stats, name + ".small_pool", figure.smallPool());
    put(stats, name + ".large_pool", figure.largePool());
  }

  private static void put(SortedMap<String, Long> stats, String name, Stat stat) {
    stats.put(name + ".current", stat.current());
    stats.put(name + ".peak", stat.peak());
    stats.put(name + ".allocated", stat.allocated());
    stats.put(name + ".freed", stat.freed());
  }
}
