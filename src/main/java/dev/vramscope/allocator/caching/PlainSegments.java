package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.device.Device;

/** Acquires segments that are memory in one piece, and releases them again. */
final class PlainSegments {
  private final Blocks blocks;
  private final Segments segments;
  private final MemoryLimit limit;
  private final Configuration configuration;
  private final Statistics statistics;
  private final Listeners listeners;
  private final Device device;
  private final AllocatorLock lock;

  /**
   * Over the state of one allocator.
   *
   * @param lock the allocator's, held in every call; let go around slow driver calls if the
   *     settings say so
   */
  PlainSegments(
      Blocks blocks,
      Segments segments,
      MemoryLimit limit,
      Configuration configuration,
      Statistics statistics,
      Listeners listeners,
      Device device,
      AllocatorLock lock) {
    this.blocks = blocks;
    this.segments = segments;
    this.limit = limit;
    this.configuration = configuration;
    this.statistics = statistics;
    this.listeners = listeners;
    this.device = device;
    this.lock = lock;
  }

  /**
   * Acquires a segment.
   *
   * @return a block that fills a new segment and stands in no list, or {@link Blocks#NONE} if the
   *     device has not enough memory
   */
  int acquire(Pool pool, int stream, long bytes) {
    // Counted before the call, so that two threads cannot both slip under the limit meanwhile.
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
    Segment segment =
        new Segment(segments.takeNumber(), segments.nextRegistration(), address, stream);
    int block = blocks.create(address, bytes, stream, pool.number(), Blocks.MAPPED, segment);
    segments.add(segment, block);
    if (pool.owner() != null) {
      pool.owner().addReserved(bytes);
    }
    statistics.segmentAcquired(pool.id(), pool.isSmall(), bytes, configuration.isOversize(bytes));
    listeners.event(AllocatorEvent.SEGMENT_ALLOC, address, bytes, stream, pool.number());
    return block;
  }

  /**
   * If the lock was taken more than once, by a listener that allocates, others stay out all the
   * same: what the outer call is in the midst of is not for them to see.
   */
  private long allocateUnlocked(long bytes) {
    lock.unlock();
    try {
      return device.memory().allocate(bytes);
    } finally {
      lock.lock();
    }
  }

  /** Releases the segment that an inactive block of a pool's list fills. */
  void release(Pool pool, int block) {
    long bytes = blocks.bytes(block);
    long address = blocks.address(block);
    pool.remove(block);
    listeners.event(
        AllocatorEvent.SEGMENT_FREE, address, bytes, blocks.stream(block), pool.number());
    segments.remove(segments.get(blocks.segment(block)));
    blocks.remove(block);
    limit.addHeld(-bytes);
    if (pool.owner() != null) {
      pool.owner().addReserved(-bytes);
    }
    statistics.segmentReleased(pool.id(), pool.isSmall(), bytes, configuration.isOversize(bytes));
    device.memory().free(address);
  }
}
