package dev.vramscope.allocator;

import dev.vramscope.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands out device memory. */
public interface Allocator {
  /** The handle of no block: what a request for 0 bytes gets. */
  long NO_BLOCK = 0;

  /**
   * Allocates a block for work on a stream.
   *
   * @param bytes from 0 (which gets {@link #NO_BLOCK}) to 2^62
   * @param stream the stream whose work may use the block without further notice
   * @return the block's handle
   * @throws OutOfDeviceMemoryException if neither the cache nor the device has a place for it
   */
  long allocate(long bytes, int stream);

  /**
   * Frees an allocated block. {@link #NO_BLOCK} is allowed and does nothing.
   *
   * @throws IllegalArgumentException if the handle names no allocated block
   */
  void free(long block);

  /** Where an allocated block lies; 0 for {@link #NO_BLOCK}. */
  long address(long block);

  /**
   * Says that a further stream uses the block: after {@code free} it stays active until the work
   * that this stream has by then is done.
   */
  void recordStream(long block, int stream);

  /**
   * Whether a freed block is handed out again only when the work that its streams had by then is
   * done, or to work behind it. If not, clients wait for that work before they free.
   */
  boolean followsStreams();

  /** Gives back to the device what lies unused in the cache. */
  void emptyCache();

  AllocatorTotals totals();

  /**
   * Shows every segment with its blocks, in address order. The state is taken at one moment, under
   * the lock; the visitor is called after it was released.
   */
  void visitSegments(Consumer<? super SegmentView> visitor);

  /** The name of a pool that listeners heard of by number, even if it is gone by now. */
  default PoolId poolId(int number) {
    return PoolId.DEFAULT;
  }

  /** Whether a pool that listeners heard of by number serves large requests. */
  default boolean isLargePool(int number) {
    return true;
  }

  /** The settings by name, as text, as snapshots carry them; nested names are joined by a dot. */
  default Map<String, String> settings() {
    return Map.of();
  }

  /** The block that covers this address, which may be any byte of it, or null. */
  @Nullable BlockView blockAt(long address);

  /**
   * How many bytes lie free directly before and after an allocated block: what would become one
   * piece with it if it were freed. Takes constant time.
   */
  long adjacentFreeBytes(long block);

  /**
   * The allocated blocks whose freeing gives the largest contiguous free pieces, best first.
   *
   * @param limit at most so many
   */
  List<ReleaseCandidate> releaseCandidates(int limit);

  /** Adds a listener to every later event of this allocator. */
  void addListener(AllocatorListener listener);

  void removeListener(AllocatorListener listener);

  /**
   * Checks all internal laws.
   *
   * @throws IllegalStateException naming the first law that does not hold
   */
  void checkInvariants();
}
