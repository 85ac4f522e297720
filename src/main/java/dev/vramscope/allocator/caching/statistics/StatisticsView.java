package dev.vramscope.allocator.caching.statistics;

import dev.vramscope.model.PoolId;
import java.util.Map;

/**
 * All statistics of a caching allocator at one moment, with PyTorch's meanings.
 *
 * @param deviceAllocCount segments acquired and ranges mapped
 * @param deviceFreeCount segments released and ranges unmapped
 * @param syncAllStreamsCount how often all pending frees were waited for
 * @param maxSplitBytes the setting when the allocator was made, unsigned
 * @param reservedByPrivatePool by pool, also of pools that are gone
 */
public record StatisticsView(
    Map<Statistic, StatArray> figures,
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
  public StatArray figure(Statistic statistic) {
    StatArray figure = figures.get(statistic);
    if (figure == null) {
      throw new IllegalStateException("Not followed: " + statistic);
    }
    return figure;
  }
}
