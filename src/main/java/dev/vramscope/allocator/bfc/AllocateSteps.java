package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.RequestStep;
import dev.vramscope.model.TraceAction;
import java.util.List;

/**
 * The steps of allocating and freeing. The allocator's lock is held throughout.
 *
 * <p>One <b>attempt</b> of a request takes these steps until one succeeds: allocate from the pool;
 * extend the pool; merge freed chunks that still have a free count; release free regions and extend
 * the pool. A request that may retry makes one attempt, then repeats attempts for ten seconds,
 * waiting for other threads to free memory in between, then makes a last attempt and reports a
 * failure.
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
   * @param alignment a power of two, at least {@link ChunkTable#UNIT_BYTES}
   * @return the chunk's slot, or {@link ChunkTable#NONE}
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
          retries && !attributes.failsFast()
              ? retry(requested, rounded, alignment, attributes, operation)
              : failWithoutRetry(requested, rounded, attributes, operation);
      if (slot == ChunkTable.NONE) {
        statistics.failed();
        listeners.outOfMemory(rounded, extension.deviceFreeBytes(), stream, ONLY_POOL);
        return slot;
      }
    }
    assign(slot, requested, stream, attributes.end(), annotation);
    return slot;
  }

  /** Makes one attempt; returns the chunk's slot, or {@link ChunkTable#NONE}. */
  private int attempt(long rounded, long alignment, AllocationAttributes attributes) {
    timedFrees.mergeSafe();
    int slot = allocateFromPool(rounded, alignment, attributes);
    if (slot == ChunkTable.NONE) {
      listeners.insufficientStep(RequestStep.SEARCH, rounded);
    }
    if (slot == ChunkTable.NONE && extend(alignment, rounded)) {
      slot = allocateFromPool(rounded, alignment, attributes);
    }
    if (slot == ChunkTable.NONE && attributes.freedByCount() == 0 && mergeFor(rounded)) {
      slot = allocateFromPool(rounded, alignment, attributes);
    }
    if (slot == ChunkTable.NONE && releaseFor(rounded) && extend(alignment, rounded)) {
      slot = allocateFromPool(rounded, alignment, attributes);
    }
    return slot;
  }

  private boolean extend(long alignment, long rounded) {
    if (Long.compareUnsigned(rounded, extension.unallocatedBytes()) > 0) {
      listeners.insufficientStep(RequestStep.CHECK_LIMIT, rounded);
      return false;
    }
    boolean isExtended = extension.extend(alignment, rounded);
    if (isExtended) {
      // The extension has told the sizes that the device refused.
      listeners.requestStep(RequestStep.ACQUIRE, /* isEnough= */ true, rounded);
    }
    return isExtended;
  }

  private boolean mergeFor(long rounded) {
    boolean isMerged = timedFrees.mergeFor(rounded);
    if (timedFrees.hasCounter()) {
      listeners.requestStep(RequestStep.MERGE_RECENT_FREES, isMerged, rounded);
    }
    return isMerged;
  }

  private boolean releaseFor(long rounded) {
    long before = extension.unallocatedBytes();
    boolean isReleased = release.releaseFor(rounded, reports.log());
    if (isReleased) {
      listeners.requestStep(
          RequestStep.RELEASE_REGIONS, /* isEnough= */ true, extension.unallocatedBytes() - before);
    }
    return isReleased;
  }

  private int allocateFromPool(long rounded, long alignment, AllocationAttributes attributes) {
    int slot = free.take(rounded, alignment, attributes);
    return slot == ChunkTable.NONE
        ? slot
        : splitting.split(slot, rounded, alignment, attributes.end());
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

  private int failWithoutRetry(
      long requested, long rounded, AllocationAttributes attributes, String operation) {
    if (!attributes.failsFast()) {
      reports.outOfMemoryUntilLimit(requested, rounded, attributes.end(), operation);
    }
    reports.failedWithoutRetry(requested, attributes);
    return ChunkTable.NONE;
  }

  /** Rejects a request of 0 bytes. Like XLA, reports it only if the request does not retry. */
  void rejectEmpty(AllocationAttributes attributes) {
    if (!retries || attributes.failsFast()) {
      reports.failedWithoutRetry(0, attributes);
    }
  }

  private void assign(
      int slot, long requested, int stream, AllocationEnd end, List<Scope> annotation) {
    chunks.allocate(slot, requested, nextAllocationId++, stream, end.tagNumber());
    scopes.set(slot, annotation);
    statistics.allocated(chunks.bytes(slot), requested);
    ranking.add(slot);
    listeners.blockAllocated(chunks.address(slot), chunks.bytes(slot));
    listeners.event(TraceAction.ALLOC, chunks.address(slot), requested, stream, ONLY_POOL);
  }

  /** Frees an allocated chunk. */
  void free(int slot) {
    long requested = chunks.requestedBytes(slot);
    if (!listeners.isEmpty()) {
      notifyFreed(chunks.address(slot), requested, chunks.stream(slot));
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

  private void notifyFreed(long address, long bytes, int stream) {
    listeners.event(TraceAction.FREE_REQUESTED, address, bytes, stream, ONLY_POOL);
    listeners.event(TraceAction.FREE_COMPLETED, address, bytes, stream, ONLY_POOL);
  }

  private static long roundUp(long bytes) {
    return (bytes + ChunkTable.UNIT_BYTES - 1) & -ChunkTable.UNIT_BYTES;
  }
}
