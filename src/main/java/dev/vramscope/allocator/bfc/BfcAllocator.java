package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.ReleaseCandidate;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.device.SubAllocator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * XLA's allocator: best fit with coalescing. {@link AllocateSteps} tells how a request is served.
 *
 * <p>Safe for use by several threads. A request that may retry waits up to ten seconds for another
 * thread to free memory before it fails.
 */
public final class BfcAllocator implements Allocator {
  /** What a request is aligned to that says nothing; every chunk is aligned better. */
  public static final long DEFAULT_ALIGNMENT = 64;

  private final BfcOptions options;
  private final AllocatorLock lock = new AllocatorLock();
  private final Listeners listeners = new Listeners();
  private final Annotations annotations = new Annotations();
  private final Pool pool;
  private final StateReader stateReader;
  private final Reports reports;
  private final AllocateSteps steps;

  /**
   * Makes an allocator; it takes nothing from the device before the first request.
   *
   * @param limit shared by the allocators that are to count their failures together
   */
  public BfcAllocator(
      BfcOptions options,
      SubAllocator source,
      LogSink log,
      FailureLogLimit limit,
      RetryClock clock) {
    this.options = options;
    this.pool = new Pool(options, source, listeners);
    this.stateReader = new StateReader(options, pool);
    this.reports = new Reports(options, pool, stateReader, log, limit);
    this.steps = new AllocateSteps(options, pool, reports, listeners, clock, new MemoryFreedCondition(lock));
  }

  /** An allocator that nobody waits for and that keeps no log, as a replay wants it. */
  public static BfcAllocator forReplay(BfcOptions options, SubAllocator source) {
    return new BfcAllocator(
        options, source, LogSink.SILENT, new FailureLogLimit(), RetryClock.virtual());
  }

  @Override
  public long allocate(long bytes, int stream) {
    long block = tryAllocate(bytes, DEFAULT_ALIGNMENT, stream, AllocationAttributes.DEFAULT);
    if (block == NO_BLOCK && bytes > 0) {
      throw new OutOfDeviceMemoryException(bytes, outOfMemoryMessage(bytes));
    }
    return block;
  }

  private String outOfMemoryMessage(long bytes) {
    BfcStatistics now = statistics();
    return options.name()
        + " is out of memory: asked for "
        + HumanBytes.text(bytes)
        + " with "
        + HumanBytes.text(now.bytesInUse())
        + " in use, "
        + HumanBytes.text(now.poolBytes())
        + " held, limit "
        + HumanBytes.text(now.limitBytes())
        + "; the largest free chunk has "
        + HumanBytes.text(now.largestFreeBytes())
        + ".";
  }

  /**
   * Allocates a block, or fails without an exception.
   *
   * @param bytes 0 or more; 0 gets no block
   * @param alignment a power of two
   * @return the block's handle, or {@link #NO_BLOCK}
   */
  public long tryAllocate(long bytes, long alignment, int stream, AllocationAttributes attributes) {
    if (bytes < 0 || Long.bitCount(alignment) != 1) {
      throw new IllegalArgumentException(
          "A request has 0 bytes or more and is aligned to a power of two, got "
              + bytes
              + " bytes aligned to "
              + alignment
              + ".");
    }
    List<Scope> scopes = annotations.scopes();
    String operation = annotations.operation();
    long block = NO_BLOCK;
    List<LogEntry> entries;
    lock.lock();
    try {
      if (bytes == 0) {
        steps.refuseEmpty(attributes);
      } else {
        long atLeastUnit = Math.max(alignment, ChunkTable.UNIT_BYTES);
        int slot = steps.allocate(bytes, atLeastUnit, stream, attributes, scopes, operation);
        block = slot == ChunkTable.NONE ? NO_BLOCK : pool.chunks.handle(slot);
      }
      entries = reports.take();
    } finally {
      lock.unlock();
    }
    if (!entries.isEmpty()) {
      reports.deliver(entries);
    }
    return block;
  }

  @Override
  public void free(long block) {
    if (block == NO_BLOCK) {
      return;
    }
    lock.lock();
    try {
      steps.free(require(block));
    } finally {
      lock.unlock();
    }
  }

  private int require(long block) {
    int slot = pool.chunks.slotOf(block);
    if (slot == ChunkTable.NONE) {
      throw new IllegalArgumentException(
          "No allocated block of "
              + options.name()
              + " has the handle 0x"
              + Long.toHexString(block)
              + "; it was freed already or comes from another allocator.");
    }
    return slot;
  }

  @Override
  public long address(long block) {
    return block == NO_BLOCK ? 0 : locked(() -> pool.chunks.address(require(block)));
  }

  /** Tells what an allocated block got, without garbage. The reader is called outside the lock. */
  public void describe(long block, AllocationConsumer consumer) {
    long address;
    long bytes;
    long allocationId;
    lock.lock();
    try {
      int slot = require(block);
      address = pool.chunks.address(slot);
      bytes = pool.chunks.bytes(slot);
      allocationId = pool.chunks.allocationId(slot);
    } finally {
      lock.unlock();
    }
    consumer.accept(address, bytes, allocationId);
  }

  /** Changes nothing: this allocator knows no streams; its users order frees themselves. */
  @Override
  public void recordStream(long block, int stream) {
    if (block == NO_BLOCK) {
      return;
    }
    lock.lock();
    try {
      require(block);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean followsStreams() {
    return false;
  }

  /** Gives back regions that are wholly free. The original only does so to make room. */
  @Override
  public void emptyCache() {
    lock.lock();
    try {
      pool.release.releaseAll();
    } finally {
      lock.unlock();
    }
  }

  /** What the requests of each thread are for; shows in logs. */
  public Annotations annotations() {
    return annotations;
  }

  /** From now on frees are counted, and merged only when their time has come. */
  public void useTimingCounter(TimingCounter counter) {
    lock.lock();
    try {
      pool.timedFrees.useCounter(counter);
    } finally {
      lock.unlock();
    }
  }

  /** Says that everything freed before this count is no longer used. */
  public void raiseSafeFrontier(long count) {
    lock.lock();
    try {
      pool.timedFrees.raiseSafeFrontier(count);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public AllocatorTotals totals() {
    return locked(() -> stateReader.totals(steps.nextAllocationId() - 1));
  }

  public BfcStatistics statistics() {
    return locked(stateReader::statistics);
  }

  /** Starts counting allocations and peaks anew, except the pool's. */
  public void clearStatistics() {
    lock.lock();
    try {
      pool.statistics.clear();
    } finally {
      lock.unlock();
    }
  }

  public MemoryMap memoryMap() {
    return locked(stateReader::memoryMap);
  }

  public BfcState state() {
    return locked(() -> stateReader.state(steps.nextAllocationId()));
  }

  /** The pool as a line of 100 characters. */
  public String occupancy() {
    return locked(stateReader::occupancy);
  }

  /** Logs the state as a request of this size sees it. */
  public void logMemory(long bytes, AllocationEnd end) {
    List<LogEntry> entries =
        locked(
            () -> {
              reports.dump(bytes, end);
              return reports.take();
            });
    reports.deliver(entries);
  }

  @Override
  public void visitSegments(Consumer<? super SegmentView> visitor) {
    List<SegmentView> segments =
        locked(
            () -> {
              listeners.stateTaken();
              return stateReader.segments();
            });
    segments.forEach(visitor);
  }

  @Override
  public @Nullable BlockView blockAt(long address) {
    lock.lock();
    try {
      return stateReader.blockAt(address);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long adjacentFreeBytes(long block) {
    return locked(() -> pool.ranking.adjacentFreeBytes(require(block)));
  }

  @Override
  public List<ReleaseCandidate> releaseCandidates(int limit) {
    return locked(() -> stateReader.releaseCandidates(limit));
  }

  @Override
  public void addListener(AllocatorListener listener) {
    lock.lock();
    try {
      listeners.add(listener);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void removeListener(AllocatorListener listener) {
    lock.lock();
    try {
      listeners.remove(listener);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void checkInvariants() {
    lock.lock();
    try {
      new InvariantCheck(pool).run();
    } finally {
      lock.unlock();
    }
  }

  private <T> T locked(Supplier<T> question) {
    lock.lock();
    try {
      return question.get();
    } finally {
      lock.unlock();
    }
  }
}
