package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.HeldSegment;
import dev.vramscope.allocator.caching.blocks.Segments;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.device.Device;
import dev.vramscope.model.TraceAction;

/** Acquires and releases segments that are single allocations of the device. */
final class PlainSegments {
  private final Blocks blocks;
  private final Segments segments;
  private final MemoryLimit limit;
  private final Configuration configuration;
  private final Statistics statistics;
  private final Listeners listeners;
  private final Device device;
  private final AllocatorLock lock;

  PlainSegments(CachingState state) {
    this.blocks = state.blocks;
    this.segments = state.segments;
    this.limit = state.limit;
    this.configuration = state.configuration;
    this.statistics = state.statistics;
    this.listeners = state.listeners;
    this.device = state.device;
    this.lock = state.lock;
  }

  /**
   * Acquires a segment.
   *
   * @return a block that fills a new segment and is in no list, or {@link Blocks#NONE} if the
   *     device has not enough memory
   */
  int acquire(Pool pool, int stream, long bytes) {
    // Counted before the call, which may unlock: two threads must not both pass the limit check.
    limit.addHeld(bytes);
    long address = 0;
    try {
      address =
          configuration.releaseLockOnDeviceMalloc()
              ? allocateUnlocked(bytes)
              : device.memory().allocate(bytes);
    } finally {
      if (address == 0) {
        limit.addHeld(-bytes);
      }
    }
    if (address == 0) {
      return Blocks.NONE;
    }
    HeldSegment segment =
        new HeldSegment(segments.takeNumber(), segments.nextRegistration(), address, stream);
    int block = blocks.create(address, bytes, stream, pool.number(), Blocks.MAPPED, segment);
    segments.add(segment, block);
    pool.addReserved(bytes);
    statistics.segmentAcquired(pool.id(), pool.kind(), bytes, configuration.isOversize(bytes));
    listeners.event(TraceAction.SEGMENT_ALLOC, address, bytes, stream, pool.number());
    return block;
  }

  /**
   * Allocates with {@code release_lock_on_cudamalloc}. If a listener allocates, the lock is held
   * twice, and other threads remain locked out of the unfinished outer operation.
   */
  private long allocateUnlocked(long bytes) {
    lock.unlock();
    try {
      return device.memory().allocate(bytes);
    } finally {
      lock.lock();
    }
  }

  /** Releases the segment that an inactive block of the pool fills. */
  void release(Pool pool, int block) {
    long bytes = blocks.bytes(block);
    long address = blocks.address(block);
    pool.remove(block);
    listeners.event(TraceAction.SEGMENT_FREE, address, bytes, blocks.stream(block), pool.number());
    segments.remove(segments.get(blocks.segment(block)));
    blocks.remove(block);
    limit.addHeld(-bytes);
    pool.addReserved(-bytes);
    statistics.segmentReleased(pool.id(), pool.kind(), bytes, configuration.isOversize(bytes));
    device.memory().free(address);
  }
}
