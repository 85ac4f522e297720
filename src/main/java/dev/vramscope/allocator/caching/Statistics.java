package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.PoolId;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The counters. A {@link Stat} is four longs in a row; a {@link StatArray} three of them.
 *
 * <pre>
 *   cells:  for each Statistic:  all | small | large   each  current peak allocated freed
 *           then                 oversize allocations | oversize segments
 * </pre>
 */
final class Statistics {
  private static final int STAT = 4;
  private static final int ARRAY = 3 * STAT;
  private static final int PEAK = 1;
  private static final int ALLOCATED = 2;
  private static final int FREED = 3;

  private static final int ALLOCATION = Statistic.ALLOCATION.ordinal() * ARRAY;
  private static final int SEGMENT = Statistic.SEGMENT.ordinal() * ARRAY;
  private static final int ACTIVE = Statistic.ACTIVE.ordinal() * ARRAY;
  private static final int INACTIVE_SPLIT = Statistic.INACTIVE_SPLIT.ordinal() * ARRAY;
  private static final int ALLOCATED_BYTES = Statistic.ALLOCATED_BYTES.ordinal() * ARRAY;
  private static final int RESERVED_BYTES = Statistic.RESERVED_BYTES.ordinal() * ARRAY;
  private static final int ACTIVE_BYTES = Statistic.ACTIVE_BYTES.ordinal() * ARRAY;
  private static final int INACTIVE_SPLIT_BYTES = Statistic.INACTIVE_SPLIT_BYTES.ordinal() * ARRAY;
  private static final int REQUESTED_BYTES = Statistic.REQUESTED_BYTES.ordinal() * ARRAY;
  private static final int OVERSIZE_ALLOCATIONS = Statistic.values().length * ARRAY;
  private static final int OVERSIZE_SEGMENTS = OVERSIZE_ALLOCATIONS + STAT;

  private final long[] cells = new long[OVERSIZE_SEGMENTS + STAT];
  private final Map<PoolId, long[]> reservedByPrivatePool = new LinkedHashMap<>();
  private final long maxSplitBytes;
  private long allocRetries;
  private long outOfMemory;
  private long syncAllStreams;
  private long deviceAllocs;
  private long deviceFrees;
  private long rejections;

  /**
   * All zero.
   *
   * @param maxSplitBytes is shown as it was when the allocator was made
   */
  Statistics(long maxSplitBytes) {
    this.maxSplitBytes = maxSplitBytes;
  }

  // A block ------------------------------------------------------------------------------------

  void blockAllocated(Pool pool, long bytes, long requestedBytes) {
    int kind = kind(pool);
    increase(ALLOCATION, kind, 1);
    increase(ALLOCATED_BYTES, kind, bytes);
    increase(ACTIVE, kind, 1);
    increase(ACTIVE_BYTES, kind, bytes);
    increase(REQUESTED_BYTES, kind, requestedBytes);
  }

  void blockFreed(Pool pool, long bytes) {
    int kind = kind(pool);
    decrease(ALLOCATION, kind, 1);
    decrease(ALLOCATED_BYTES, kind, bytes);
  }

  void blockInactive(Pool pool, long bytes, long requestedBytes) {
    int kind = kind(pool);
    decrease(ACTIVE, kind, 1);
    decrease(ACTIVE_BYTES, kind, bytes);
    decrease(REQUESTED_BYTES, kind, requestedBytes);
  }

  /** Inactive pieces of plain segments came or went: both signs are possible. */
  void inactiveSplits(Pool pool, int count, long bytes) {
    int kind = kind(pool);
    if (count > 0) {
      increase(INACTIVE_SPLIT, kind, count);
    } else if (count < 0) {
      decrease(INACTIVE_SPLIT, kind, -count);
    }
    if (bytes > 0) {
      increase(INACTIVE_SPLIT_BYTES, kind, bytes);
    } else if (bytes < 0) {
      decrease(INACTIVE_SPLIT_BYTES, kind, -bytes);
    }
  }

  void oversizeAllocated() {
    increase(OVERSIZE_ALLOCATIONS, 1);
  }

  void oversizeFreed() {
    decrease(OVERSIZE_ALLOCATIONS, 1);
  }

  // A segment ----------------------------------------------------------------------------------

  void segmentAcquired(Pool pool, long bytes, boolean oversize) {
    increase(SEGMENT, kind(pool), 1);
    if (oversize) {
      increase(OVERSIZE_SEGMENTS, 1);
    }
    memoryReserved(pool, bytes);
  }

  void segmentReleased(Pool pool, long bytes, boolean oversize) {
    decrease(SEGMENT, kind(pool), 1);
    if (oversize) {
      decrease(OVERSIZE_SEGMENTS, 1);
    }
    memoryReturned(pool, bytes);
  }

  /** Memory came, in a segment or as pages. */
  void memoryReserved(Pool pool, long bytes) {
    int kind = kind(pool);
    increase(RESERVED_BYTES, kind, bytes);
    if (pool.owner() != null) {
      long[] own = reservedByPrivatePool.computeIfAbsent(pool.id(), id -> new long[ARRAY]);
      increase(own, 0, bytes);
      increase(own, kind, bytes);
    }
    deviceAllocs++;
  }

  void memoryReturned(Pool pool, long bytes) {
    int kind = kind(pool);
    decrease(RESERVED_BYTES, kind, bytes);
    if (pool.owner() != null) {
      long[] own = reservedByPrivatePool.computeIfAbsent(pool.id(), id -> new long[ARRAY]);
      decrease(own, 0, bytes);
      decrease(own, kind, bytes);
    }
    deviceFrees++;
  }

  // An incident --------------------------------------------------------------------------------

  void countAllocRetry() {
    allocRetries++;
  }

  void countOutOfMemory() {
    outOfMemory++;
  }

  void countSyncAllStreams() {
    syncAllStreams++;
  }

  void countRejection() {
    rejections++;
  }

  // Reading and resetting ----------------------------------------------------------------------

  long allocatedBytes() {
    return cells[ALLOCATED_BYTES];
  }

  long activeBytes() {
    return cells[ACTIVE_BYTES];
  }

  long requestedBytes() {
    return cells[REQUESTED_BYTES];
  }

  long reservedBytes() {
    return cells[RESERVED_BYTES];
  }

  long peakAllocatedBytes() {
    return cells[ALLOCATED_BYTES + PEAK];
  }

  long peakReservedBytes() {
    return cells[RESERVED_BYTES + PEAK];
  }

  long allocatedCount() {
    return cells[ALLOCATION];
  }

  long allocationCount() {
    return cells[ALLOCATION + ALLOCATED];
  }

  long outOfMemoryCount() {
    return outOfMemory;
  }

  void resetPeaks() {
    resetPeaks(cells);
    reservedByPrivatePool.values().forEach(Statistics::resetPeaks);
  }

  void resetAccumulated() {
    resetAccumulated(cells);
    reservedByPrivatePool.values().forEach(Statistics::resetAccumulated);
    allocRetries = 0;
    outOfMemory = 0;
    syncAllStreams = 0;
    deviceAllocs = 0;
    deviceFrees = 0;
    rejections = 0;
  }

  StatisticsView view() {
    Map<Statistic, StatArray> figures = new EnumMap<>(Statistic.class);
    for (Statistic statistic : Statistic.values()) {
      figures.put(statistic, array(cells, statistic.ordinal() * ARRAY));
    }
    Map<PoolId, StatArray> byPool = new LinkedHashMap<>();
    reservedByPrivatePool.forEach((id, own) -> byPool.put(id, array(own, 0)));
    return new StatisticsView(
        figures,
        stat(cells, OVERSIZE_ALLOCATIONS),
        stat(cells, OVERSIZE_SEGMENTS),
        allocRetries,
        outOfMemory,
        syncAllStreams,
        deviceAllocs,
        deviceFrees,
        rejections,
        maxSplitBytes,
        byPool);
  }

  /** The offset of the pool's own column in a {@link StatArray}. */
  private static int kind(Pool pool) {
    return pool.isSmall() ? STAT : 2 * STAT;
  }

  private void increase(int array, int kind, long amount) {
    increase(array, amount);
    increase(array + kind, amount);
  }

  private void decrease(int array, int kind, long amount) {
    decrease(array, amount);
    decrease(array + kind, amount);
  }

  private void increase(int stat, long amount) {
    increase(cells, stat, amount);
  }

  private void decrease(int stat, long amount) {
    decrease(cells, stat, amount);
  }

  private static void increase(long[] cells, int stat, long amount) {
    long current = cells[stat] + amount;
    cells[stat] = current;
    cells[stat + PEAK] = Math.max(cells[stat + PEAK], current);
    cells[stat + ALLOCATED] += amount;
  }

  private static void decrease(long[] cells, int stat, long amount) {
    cells[stat] -= amount;
    cells[stat + FREED] += amount;
  }

  private static void resetPeaks(long[] cells) {
    for (int stat = 0; stat < cells.length; stat += STAT) {
      cells[stat + PEAK] = cells[stat];
    }
  }

  private static void resetAccumulated(long[] cells) {
    for (int stat = 0; stat < cells.length; stat += STAT) {
      cells[stat + ALLOCATED] = 0;
      cells[stat + FREED] = 0;
    }
  }

  private static StatArray array(long[] cells, int at) {
    return new StatArray(stat(cells, at), stat(cells, at + STAT), stat(cells, at + 2 * STAT));
  }

  private static Stat stat(long[] cells, int at) {
    return new Stat(cells[at], cells[at + PEAK], cells[at + ALLOCATED], cells[at + FREED]);
  }
}
