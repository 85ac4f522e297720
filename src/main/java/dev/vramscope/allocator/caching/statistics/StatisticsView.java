package dev.vramscope.allocator.caching.statistics;

import dev.vramscope.model.PoolId;
import java.util.Map;

/**
 * All statistics of a caching allocator at one moment, with PyTorch's meanings.
 *
 * @param deviceAllocCount segments acquired and ranges mapped
 * @param deviceFreeCount segments released and ranges unmapped
 * @param syncAllStreamsCount how often the allocator waited for pending frees of all streams
 * @param maxSplitBytes the setting when the allocator was created, unsigned
 * @param reservedByPrivatePool reserved bytes by pool, including removed pools
 */
public record StatisticsView(
    Map<Statistic, StatArray> values,
    Stat oversizeAllocations,
    Stat oversizeSegments,
    long allocRetryCount,
    long outOfMemoryCount,
    long syncAllStreamsCount,
    long deviceAllocCount,
    long deviceFreeCount,
    long outOfMemoryRejectionCount,
    long maxSplitBytes,
    Map<PoolId, StatArray> reservedByPrivatePool) {
  public StatArray get(Statistic statistic) {
    StatArray value = values.get(statistic);
    if (value == null) {
      throw new IllegalStateException("Missing statistic: " + statistic);
    }
    return value;
  }
}
