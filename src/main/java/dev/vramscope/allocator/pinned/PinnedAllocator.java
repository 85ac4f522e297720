package dev.vramscope.allocator.pinned;

import dev.vramscope.device.Device;
import dev.vramscope.device.HostMemory;
import dev.vramscope.device.Streams;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Allocates pinned host memory, as PyTorch's caching host allocator does. Thread-safe; the driver
 * is called without the lock, so that a slow driver call does not delay other threads.
 *
 * <p>A request is served in these steps: completed events free their blocks; then it is tried from
 * the cache, from the reserve, from the driver, and once more from the driver after the cache was
 * released.
 */
public final class PinnedAllocator {
  /** The handle that a request for 0 bytes gets. It names no block. */
  public static final long NO_BLOCK = 0;

  private static final long MAX_REQUEST_BYTES = 1L << 46;

  /** The use of a freed block by one stream. */
  private record Use(long event, PinnedBlock block) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final HostMemory host;
  private final Streams streams;
  private final PinnedSettings settings;
  private final LongSupplier nanoClock;

  /** Every block, active or cached. */
  private final Set<PinnedBlock> blocks = new HashSet<>();

  private final Map<Long, PinnedBlock> allocated = new HashMap<>();
  private final Buckets cached = new Buckets();
  private final ArrayDeque<Use> uses = new ArrayDeque<>();

  /** Blocks removed from the allocator that the driver has yet to free, without the lock. */
  private final ArrayDeque<PinnedBlock> toRelease = new ArrayDeque<>();

  private final PinnedCounters counters = new PinnedCounters();
  private long lastHandle;
  private boolean reserveRequested;
  private long reserveNext;
  private long reserveEnd;

  /**
   * Creates an allocator that holds no memory.
   *
   * @param nanoClock measures driver calls
   */
  public PinnedAllocator(Device device, PinnedSettings settings, LongSupplier nanoClock) {
    host = device.hostMemory();
    streams = device.streams();
    this.settings = settings;
    this.nanoClock = nanoClock;
  }

  /**
   * Allocates a block.
   *
   * @param bytes from 0 (which gets {@link #NO_BLOCK}) to 2^46
   * @return the block's handle
   * @throws OutOfPinnedMemoryException if neither the cache nor the host can serve the request
   */
  public long allocate(long bytes) {
    if (bytes < 0 || bytes > MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException(
          "A request must have 0 to " + MAX_REQUEST_BYTES + " bytes, got " + bytes + ".");
    }
    if (bytes == 0) {
      return NO_BLOCK;
    }
    allocateReserve();
    long rounded = settings.roundedBytes(bytes);
    long cachedBlock = allocateFromCache(rounded);
    releaseToDriver();
    if (cachedBlock != NO_BLOCK) {
      return cachedBlock;
    }
    long address = allocateFromDriver(rounded);
    if (address == 0) {
      emptyCache();
      address = allocateFromDriver(rounded);
    }
    if (address == 0) {
      throw new OutOfPinnedMemoryException(
          bytes,
          "Out of pinned host memory. Tried to allocate "
              + rounded
              + " bytes; "
              + statistics().allocatedBytes().current()
              + " bytes are allocated. Free some blocks, or pin less memory.");
    }
    lock.lock();
    try {
      return assign(add(address, rounded, /* reserved= */ false));
    } finally {
      lock.unlock();
    }
  }

  private long allocateFromCache(long bytes) {
    lock.lock();
    try {
      completePendingFrees();
      PinnedBlock block = cached.remove(bytes);
      if (block == null && reserveEnd - reserveNext >= bytes) {
        block = add(reserveNext, bytes, /* reserved= */ true);
        reserveNext += PinnedSettings.wholePages(bytes);
      }
      return block == null ? NO_BLOCK : assign(block);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Frees an allocated block; it is reused once the recorded streams do not use it any more. {@link
   * #NO_BLOCK} is allowed and does nothing.
   */
  public void free(long handle) {
    if (handle == NO_BLOCK) {
      return;
    }
    lock.lock();
    try {
      PinnedBlock block = require(handle);
      allocated.remove(handle);
      block.handle = NO_BLOCK;
      for (int i = 0; i < block.streamCount(); i++) {
        uses.add(new Use(streams.recordEvent(block.stream(i)), block));
        block.pendingEvents++;
      }
      block.clearStreams();
      if (!block.isActive()) {
        retire(block);
      }
    } finally {
      lock.unlock();
    }
    releaseToDriver();
  }

  /**
   * Adds a stream whose work uses the block: the block is not reused before that work completes.
   */
  public void recordStream(long handle, int stream) {
    lock.lock();
    try {
      require(handle).addStream(stream);
    } finally {
      lock.unlock();
    }
  }

  /** The address of an allocated block; 0 for {@link #NO_BLOCK}. */
  public long address(long handle) {
    if (handle == NO_BLOCK) {
      return 0;
    }
    lock.lock();
    try {
      return require(handle).address;
    } finally {
      lock.unlock();
    }
  }

  /** Releases the cached blocks to the driver, except the reserve. */
  public void emptyCache() {
    lock.lock();
    try {
      completePendingFrees();
      cached.removeReleasable().forEach(this::scheduleRelease);
    } finally {
      lock.unlock();
    }
    releaseToDriver();
  }

  public PinnedStatistics statistics() {
    lock.lock();
    try {
      return counters.view();
    } finally {
      lock.unlock();
    }
  }

  public void resetPeakStatistics() {
    lock.lock();
    try {
      counters.resetPeaks();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Checks all internal invariants.
   *
   * @throws IllegalStateException naming the first invariant that is violated
   */
  public void checkInvariants() {
    lock.lock();
    try {
      long bytes = 0;
      long activeBytes = 0;
      int pending = 0;
      for (PinnedBlock block : blocks) {
        bytes += block.bytes;
        activeBytes += block.isActive() ? block.bytes : 0;
        pending += block.pendingEvents;
        require(block.isActive() != cached.contains(block), "a block is active or cached");
      }
      PinnedStatistics now = counters.view();
      require(now.allocations().current() == blocks.size(), "all blocks are counted");
      require(now.allocatedBytes().current() == bytes, "all bytes are counted");
      require(now.activeBytes().current() == activeBytes, "active bytes are counted");
      require(pending == uses.size(), "every pending event is queued");
      require(
          now.activeRequests().current() + cached.size() == blocks.size(),
          "only blocks are cached");
    } finally {
      lock.unlock();
    }
  }

  private static void require(boolean holds, String invariant) {
    if (!holds) {
      throw new IllegalStateException(
          "Invariant violated in the pinned allocator: " + invariant + ".");
    }
  }

  // Under the lock -----------------------------------------------------------------------------

  private PinnedBlock require(long handle) {
    PinnedBlock block = allocated.get(handle);
    if (block == null) {
      throw new IllegalArgumentException(
          "No allocated pinned block has the handle "
              + handle
              + "; it was freed already or belongs to another allocator.");
    }
    return block;
  }

  private PinnedBlock add(long address, long bytes, boolean reserved) {
    PinnedBlock block = new PinnedBlock(address, bytes, reserved);
    blocks.add(block);
    counters.added(block);
    return block;
  }

  private long assign(PinnedBlock block) {
    block.handle = ++lastHandle;
    allocated.put(block.handle, block);
    counters.activated(block);
    return block.handle;
  }

  /** Completes frees in order, up to the first event that has not completed. */
  private void completePendingFrees() {
    while (true) {
      Use first = uses.peek();
      if (first == null || !streams.isDone(first.event)) {
        return;
      }
      uses.remove();
      streams.freeEvent(first.event);
      first.block.pendingEvents--;
      if (!first.block.isActive()) {
        retire(first.block);
      }
    }
  }

  private void retire(PinnedBlock block) {
    counters.deactivated(block);
    if (block.bytes > settings.maxCachedBytes() && !block.reserved) {
      scheduleRelease(block);
    } else {
      cached.add(block);
    }
  }

  private void scheduleRelease(PinnedBlock block) {
    blocks.remove(block);
    counters.removed(block);
    toRelease.add(block);
  }

  // Without the lock ---------------------------------------------------------------------------

  /** Called by every request. If the host cannot allocate the reserve, there is none. */
  private void allocateReserve() {
    if (settings.reserveBytes() == 0) {
      return;
    }
    lock.lock();
    try {
      if (reserveRequested) {
        return;
      }
      reserveRequested = true;
    } finally {
      lock.unlock();
    }
    long address = allocateFromDriver(settings.reserveBytes());
    lock.lock();
    try {
      reserveNext = address;
      reserveEnd = address == 0 ? 0 : address + settings.reserveBytes();
    } finally {
      lock.unlock();
    }
  }

  private long allocateFromDriver(long bytes) {
    long begin = nanoClock.getAsLong();
    long address = host.allocate(bytes);
    long micros = (nanoClock.getAsLong() - begin) / 1000;
    if (address != 0) {
      lock.lock();
      try {
        counters.driverAllocated(micros);
      } finally {
        lock.unlock();
      }
    }
    return address;
  }

  private void releaseToDriver() {
    while (true) {
      PinnedBlock block;
      lock.lock();
      try {
        block = toRelease.poll();
      } finally {
        lock.unlock();
      }
      if (block == null) {
        return;
      }
      long begin = nanoClock.getAsLong();
      host.free(block.address);
      long micros = (nanoClock.getAsLong() - begin) / 1000;
      lock.lock();
      try {
        counters.driverFreed(micros);
      } finally {
        lock.unlock();
      }
    }
  }
}
