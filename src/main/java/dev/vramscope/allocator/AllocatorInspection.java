package dev.vramscope.allocator;

import dev.vramscope.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the state of an {@link Allocator} and subscribes to its events, without changing it. */
public interface AllocatorInspection {
  AllocatorTotals totals();

  /**
   * Visits every segment with its blocks, in address order. The state is captured at one moment,
   * under the lock; the visitor is called after the lock was released.
   */
  void visitSegments(Consumer<? super SegmentView> visitor);

  /** The block that contains this address, which may be any byte of it, or null. */
  @Nullable BlockView blockAt(long address);

  /**
   * The free bytes directly before and after an allocated block, which would be coalesced with it
   * if it were freed. Takes constant time.
   */
  long adjacentFreeBytes(long block);

  /**
   * The allocated blocks whose freeing gives the largest contiguous free memory, best first.
   *
   * @param limit the maximum number of candidates
   */
  List<ReleaseCandidate> releaseCandidates(int limit);

  /**
   * Whether the allocator tracks which streams use a block, and reuses a freed block on another
   * stream only after the work queued before the free has completed. If not, clients must wait for
   * that work before they free the block.
   */
  boolean tracksStreamUse();

  /** The identifier of a pool whose number a listener received, even if the pool is gone. */
  default PoolId poolId(int number) {
    return PoolId.DEFAULT;
  }

  /** Whether a pool whose number a listener received serves large requests. */
  default boolean isLargePool(int number) {
    return true;
  }

  /** The settings by name, as text, as snapshots contain them; nested names are joined by a dot. */
  default Map<String, String> settings() {
    return Map.of();
  }

  /** Adds a listener for all later events of this allocator. */
  void addListener(AllocatorListener listener);

  void removeListener(AllocatorListener listener);

  /**
   * Checks all internal invariants.
   *
   * @throws IllegalStateException naming the first invariant that is violated
   */
  void checkInvariants();
}
