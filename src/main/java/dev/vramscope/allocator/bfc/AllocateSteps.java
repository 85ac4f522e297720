package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import java.util.List;

/**
 * The story of a request, and of a free. The allocator's lock is held throughout.
 *
 * <p>One <b>attempt</b> of a request climbs these rungs: find a chunk; extend the pool; merge
 * chunks whose time has not come; release free regions and extend again. A request that may retry
 * makes one attempt, then waits for frees and tries again for ten seconds, then makes a last
 * attempt that reports what it finds.
 */
final class AllocateSteps {
  private static final int ONLY_POOL = 0;

  private final ChunkTable chunks;
  private final FreeChunks free;
  private final Splitting splitting;
  private final Coalescing coalescing;
  private final Extension extension;
  private final RegionRelease release;
  private final TimedFrees timedFrees;
  private final ChunkScopes scopes;
  private final Statistics statistics;
  private final ReleaseRanking ranking;
  private final Listeners listeners;
  private final Reports reports;
  private final RetryClock clock;
  private final MemoryFreedCondition memoryFreed;
  private final boolean retries;

  private long nextAllocationId = 1;

  AllocateSteps(
      BfcOptions options,
      Pool pool,
      Reports reports,
      Listeners listeners,
      RetryClock clock,
      MemoryFreedCondition memoryFreed) {
    this.chunks = pool.chunks;
    this.free = pool.free;
    this.splitting = pool.splitting;
    this.coalescing = pool.coalescing;
    this.extension = pool.extension;
    this.release = pool.release;
    this.timedFrees = pool.timedFrees;
    this.scopes = pool.scopes;
    this.statistics = pool.statistics;
    this.ranking = pool.ranking;
    this.listeners = listeners;
    this.reports = reports;
    this.clock = clock;
    this.memoryFreed = memoryFreed;
    this.retries = options.retries();
  }

  long nextAllocationId() {
    return nextAllocationId;
  }

  /**
   * Allocates a chunk.
   *
   * @param requested more than 0
   * @param alignment a power of two, at least that of a unit
   * @return its slot, or {@link ChunkTable#NONE}
   */
  int allocate(
      long requested,
      long alignment,
      int stream,
      AllocationAttributes attributes,
      List<Scope> annotation,
      String operation) {
    long rounded = roundUp(requested);
    int slot = attempt(rounded, alignment, attributes);
    if (slot == ChunkTable.NONE) {
      slot =
          retries && !attributes.isTolerant()
              ? retry(requested, rounded, alignment, attributes, operation)
              : failAtOnce(requested, rounded, attributes, operation);
      if (slot == ChunkTable.NONE) {
        statistics.failed();
        listeners.outOfMemory(rounded, extension.deviceFreeBytes(), stream, ONLY_POOL);
        return slot;
      }
    }
    handOut(slot, requested, stream, attributes.end(), annotation);
    return slot;
  }

  /** Finds a chunk of at least so many bytes, wherever it must come from. */
  private int attempt(long rounded, long alignment, AllocationAttributes attributes) {
    timedFrees.mergeDue();
    int slot = find(rounded, alignment, attributes);
    if (slot == ChunkTable.NONE && extension.extend(alignment, rounded)) {
      slot = find(rounded, alignment, attributes);
    }
    if (slot == ChunkTable.NONE && attributes.freedByCount() == 0 && timedFrees.mergeFor(rounded)) {
      slot = find(rounded, alignment, attributes);
    }
    if (slot == ChunkTable.NONE
        && release.releaseFor(rounded, reports.log())
        && extension.extend(alignment, rounded)) {
      slot = find(rounded, alignment, attributes);
    }
    return slot;
  }

  private int find(long rounded, long alignment, AllocationAttributes attributes) {
    int slot = free.take(rounded, alignment, attributes);
    return slot == ChunkTable.NONE
        ? slot
        : splitting.carve(slot, rounded, alignment, attributes.end());
  }

  private int retry(
      long requested,
      long rounded,
      long alignment,
      AllocationAttributes attributes,
      String operation) {
    Retry retry = new Retry(clock, memoryFreed);
    int slot;
    do {
      slot = attempt(rounded, alignment, attributes);
    } while (slot == ChunkTable.NONE && retry.waitedForMemory());
    if (slot == ChunkTable.NONE) {
      slot = attempt(rounded, alignment, attributes);
    }
    if (slot == ChunkTable.NONE) {
      reports.outOfMemory(requested, rounded, attributes.end(), operation);
    }
    return slot;
  }

  private int failAtOnce(
      long requested, long rounded, AllocationAttributes attributes, String operation) {
    if (!attributes.isTolerant()) {
      reports.outOfMemoryUntilLimit(requested, rounded, attributes.end(), operation);
    }
    reports.failedWithoutRetry(requested, attributes);
    return ChunkTable.NONE;
  }

  /** A request for nothing gets nothing; who does not retry is told. */
  void refuseEmpty(AllocationAttributes attributes) {
    if (!retries || attributes.isTolerant()) {
      reports.failedWithoutRetry(0, attributes);
    }
  }

  private void handOut(
      int slot, long requested, int stream, AllocationEnd end, List<Scope> annotation) {
    chunks.allocate(slot, requested, nextAllocationId++, stream, end.tagNumber());
    scopes.set(slot, annotation);
    statistics.allocated(chunks.bytes(slot), requested);
    ranking.add(slot);
    listeners.handedOut(chunks.address(slot), chunks.bytes(slot));
    listeners.event(AllocatorEvent.ALLOC, chunks.address(slot), requested, stream, ONLY_POOL);
  }

  /** Frees an allocated chunk. */
  void free(int slot) {
    long requested = chunks.requestedBytes(slot);
    if (!listeners.isEmpty()) {
      tellFreed(chunks.address(slot), requested, chunks.stream(slot));
    }
    ranking.remove(slot);
    chunks.free(slot);
    scopes.clear(slot);
    statistics.freed(chunks.bytes(slot), requested);
    long freedAt = timedFrees.count();
    chunks.setFreedAt(slot, freedAt);
    if (freedAt == 0) {
      coalescing.returnToGap(slot);
    }
    coalescing.coalesce(slot);
    if (freedAt != 0) {
      timedFrees.add(slot);
    }
    memoryFreed.signal();
  }

  private void tellFreed(long address, long bytes, int stream) {
    listeners.event(AllocatorEvent.FREE_REQUESTED, address, bytes, stream, ONLY_POOL);
    listeners.event(AllocatorEvent.FREE_COMPLETED, address, bytes, stream, ONLY_POOL);
  }

  private static long roundUp(long bytes) {
    return (bytes + ChunkTable.UNIT_BYTES - 1) & -ChunkTable.UNIT_BYTES;
  }
}
