package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Routes each request to the private pool that served it in the recording: that of the event or,
 * before PyTorch 2.12, of the final segment at its address.
 *
 * <p>A private pool has one user here until the recording releases its memory, which it does only
 * without users.
 */
final class PoolScopes {
  private final Trace trace;
  private final CachingAllocator allocator;
  private final TreeMap<Long, Segment> privateSegments = new TreeMap<>(Long::compareUnsigned);
  private final Set<PoolId> used = new HashSet<>();

  PoolScopes(CachingAllocator allocator, DeviceSnapshot recorded) {
    this.allocator = allocator;
    trace = recorded.trace();
    for (Segment segment : recorded.segments()) {
      if (segment.pool().isPrivate()) {
        privateSegments.put(segment.address(), segment);
      }
    }
  }

  /** The allocator has this pool already, with a user. */
  void exists(PoolId pool) {
    if (pool.isPrivate()) {
      used.add(pool);
    }
  }

  /** Makes the request of an event in the pool that served it. */
  long within(int event, LongSupplier request) {
    PoolId pool = poolOf(event);
    if (!pool.isPrivate()) {
      return request.getAsLong();
    }
    boolean isNew = !used.contains(pool);
    try {
      allocator.memoryPools().beginAllocate(pool, stream -> true);
    } catch (IllegalStateException released) {
      // The recording contradicts itself: it uses a pool whose memory it has released.
      return request.getAsLong();
    }
    used.add(pool);
    try {
      return request.getAsLong();
    } finally {
      allocator.memoryPools().endAllocate(pool);
      if (!isNew) {
        allocator.memoryPools().release(pool);
      }
    }
  }

  private PoolId poolOf(int event) {
    PoolId recorded = trace.pool(event);
    if (recorded != null) {
      return recorded;
    }
    Map.Entry<Long, Segment> below = privateSegments.floorEntry(trace.address(event));
    return below != null && below.getValue().contains(trace.address(event))
        ? below.getValue().pool()
        : PoolId.DEFAULT;
  }

  /** Removes the users of the private pools whose memory these events release. */
  void releaseOwnersOf(List<Integer> segmentEvents) {
    for (int event : segmentEvents) {
      PoolId pool = poolOf(event);
      if (SegmentScript.isRelease(trace.action(event)) && used.remove(pool)) {
        allocator.memoryPools().release(pool);
      }
    }
  }
}
