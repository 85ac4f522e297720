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
 * Hands out pinned host memory, as PyTorch's caching host allocator does. Safe for use by several
 * threads; the driver is called without the lock, so that one slow request delays no other.
 *
 * <p>A request climbs: events that are done free blocks; the cache; the reserve; the driver; the
 * driver once more after the cache was given back.
 */
public final class PinnedAllocator {
  /** The handle of no block: what a request for 0 bytes gets. */
  public static final long NO_BLOCK = 0;

  private static final long MAX_REQUEST_BYTES = 1L << 46;

  /** A freed block's use by one stream. */
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

  /** Blocks that are ours no more and are still to be given to the driver, without the lock. */
  private final ArrayDeque<PinnedBlock> leaving = new ArrayDeque<>();

  private final Counting counting = new Counting();
  private long lastHandle;
  private boolean reserveTaken;
  private long reserveNext;
  private long reserveEnd;

  /**
   * An allocator that holds nothing yet.
   *
   * @param nanoClock measures the driver's calls
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
   * @throws OutOfPinnedMemoryException if neither the cache nor the host has that much
   */
  public long allocate(long bytes) {
    if (bytes < 0 || bytes > MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException(
          "A request is for 0 to " + MAX_REQUEST_BYTES + " bytes, got " + bytes + ".");
    }
    if (bytes == 0) {
      return NO_BLOCK;
    }
    takeReserve();
    long rounded = settings.roundedBytes(bytes);
    long cachedBlock = allocateFromCache(rounded);
    giveBackLeaving();
    if (cachedBlock != NO_BLOCK) {
      return cachedBlock;
    }
    long address = takeFromDriver(rounded);
    if (address == 0) {
      emptyCache();
      address = takeFromDriver(rounded);
    }
    if (address == 0) {
      throw new OutOfPinnedMemoryException(
          bytes,
          "Out of pinned host memory. Tried to allocate "
              + rounded
              + " bytes; "
              + statistics().allocatedBytes().current()
              + " bytes are held and in use. Free some, or pin less.");
    }
    lock.lock();
    try {
      return handOut(add(address, rounded, false));
    } finally {
      lock.unlock();
    }
  }

  private long allocateFromCache(long bytes) {
    lock.lock();
    try {
      collect();
      PinnedBlock block = cached.take(bytes);
      if (block == null && reserveEnd - reserveNext >= bytes) {
        block = add(reserveNext, bytes, true);
        reserveNext += PinnedSettings.wholePages(bytes);
      }
      return block == null ? NO_BLOCK : handOut(block);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Frees an allocated block; it is used again once the recorded streams are done with it. {@link
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
      block.forgetStreams();
      if (!block.isActive()) {
        retire(block);
      }
    } finally {
      lock.unlock();
    }
    giveBackLeaving();
  }

  /** Says that work of a stream uses the block: it is not used again before that work is done. */
  public void recordStream(long handle, int stream) {
    lock.lock();
    try {
      require(handle).addStream(stream);
    } finally {
      lock.unlock();
    }
  }

  /** Where an allocated block lies; 0 for {@link #NO_BLOCK}. */
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

  /** Gives the cached blocks back to the driver, but for the reserve. */
  public void emptyCache() {
    lock.lock();
    try {
      collect();
      cached.takeReleasable().forEach(this::leave);
    } finally {
      lock.unlock();
    }
    giveBackLeaving();
  }

  public PinnedStatistics statistics() {
    lock.lock();
    try {
      return counting.view();
    } finally {
      lock.unlock();
    }
  }

  public void resetPeakStatistics() {
    lock.lock();
    try {
      counting.resetPeaks();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Checks all internal laws.
   *
   * @throws IllegalStateException naming the first law that does not hold
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
      PinnedStatistics now = counting.view();
      require(now.allocations().current() == blocks.size(), "all blocks are counted");
      require(now.allocatedBytes().current() == bytes, "all bytes are counted");
      require(now.activeBytes().current() == activeBytes, "active bytes are counted");
      require(pending == uses.size(), "every use is waited for");
      require(
          now.activeRequests().current() + cached.size() == blocks.size(),
          "nothing is cached that is no block");
    } finally {
      lock.unlock();
    }
  }

  private static void require(boolean holds, String law) {
    if (!holds) {
      throw new IllegalStateException("Broken law of the pinned allocator: " + law + ".");
    }
  }

  // Under the lock -----------------------------------------------------------------------------

  private PinnedBlock require(long handle) {
    PinnedBlock block = allocated.get(handle);
    if (block == null) {
      throw new IllegalArgumentException(
          "No allocated pinned block has the handle "
              + handle
              + "; it was freed already or comes from another allocator.");
    }
    return block;
  }

  private PinnedBlock add(long address, long bytes, boolean reserved) {
    PinnedBlock block = new PinnedBlock(address, bytes, reserved);
    blocks.add(block);
    counting.added(block);
    return block;
  }

  private long handOut(PinnedBlock block) {
    block.handle = ++lastHandle;
    allocated.put(block.handle, block);
    counting.handedOut(block);
    return block.handle;
  }

  /** Frees what waited for events that are done; stops at the first that is not. */
  private void collect() {
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
    counting.inactive(block);
    if (block.bytes > settings.maxCachedBytes() && !block.reserved) {
      leave(block);
    } else {
      cached.add(block);
    }
  }

  private void leave(PinnedBlock block) {
    blocks.remove(block);
    counting.removed(block);
    leaving.add(block);
  }

  // Without the lock ---------------------------------------------------------------------------

  /** With the first request. A host that cannot give it serves requests one by one. */
  private void takeReserve() {
    if (settings.reserveBytes() == 0) {
      return;
    }
    lock.lock();
    try {
      if (reserveTaken) {
        return;
      }
      reserveTaken = true;
    } finally {
      lock.unlock();
    }
    long address = takeFromDriver(settings.reserveBytes());
    lock.lock();
    try {
      reserveNext = address;
      reserveEnd = address == 0 ? 0 : address + settings.reserveBytes();
    } finally {
      lock.unlock();
    }
  }

  private long takeFromDriver(long bytes) {
    long begin = nanoClock.getAsLong();
    long address = host.allocate(bytes);
    long micros = (nanoClock.getAsLong() - begin) / 1000;
    if (address != 0) {
      lock.lock();
      try {
        counting.driverAllocated(micros);
      } finally {
        lock.unlock();
      }
    }
    return address;
  }

  private void giveBackLeaving() {
    while (true) {
      PinnedBlock block;
      lock.lock();
      try {
        block = leaving.poll();
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
        counting.driverFreed(micros);
      } finally {
        lock.unlock();
      }
    }
  }
}
