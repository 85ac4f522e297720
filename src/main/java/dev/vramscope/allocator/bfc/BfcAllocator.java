package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorInspection;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.ReleaseCandidate;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.bfc.log.FailureLogLimit;
import dev.vramscope.allocator.bfc.log.HumanBytes;
import dev.vramscope.allocator.bfc.log.LogEntry;
import dev.vramscope.allocator.bfc.log.LogSink;
import dev.vramscope.device.SubAllocator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * XLA's BFC allocator: best fit with coalescing. {@link AllocateSteps} serves the requests.
 *
 * <p>Thread-safe. A request that may retry waits up to ten seconds for another thread to free
 * memory before it fails.
 */
public final class BfcAllocator implements Allocator, AllocatorInspection {
  /** The alignment of a request that names none; every chunk has a larger alignment. */
  public static final long DEFAULT_ALIGNMENT = 64;

  /** The number of bins. */
  public static final int BIN_COUNT = Bins.COUNT;

  private final BfcOptions options;
  private final AllocatorLock lock = new AllocatorLock();
  private final Listeners listeners = new Listeners();
  private final Annotations annotations = new Annotations();
  private final Pool pool;
  private final StateReader stateReader;
  private final Reports reports;
  private final AllocateSteps steps;

  /**
   * Creates an allocator; it acquires no device memory before the first request.
   *
   * @param limit shared by all allocators that count their failures together
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
    this.steps =
        new AllocateSteps(options, pool, reports, listeners, clock, new MemoryFreedCondition(lock));
  }

  /** An allocator for replays: retries do not wait, and there is no log. */
  public static BfcAllocator forReplay(BfcOptions options, SubAllocator source) {
    return new BfcAllocator(
        options, source, LogSink.SILENT, new FailureLogLimit(), RetryClock.virtual());
  }

  /** The bin of a chunk of this size. */
  public static int binOf(long bytes) {
    return Bins.of(bytes);
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
        + " is out of memory: requested "
        + HumanBytes.text(bytes)
        + " with "
        + HumanBytes.text(now.bytesInUse())
        + " in use, "
        + HumanBytes.text(now.poolBytes())
        + " reserved, limit "
        + HumanBytes.text(now.limitBytes())
        + "; the largest free chunk is "
        + HumanBytes.text(now.largestFreeBytes())
        + ".";
  }

  @Override
  public Map<String, String> settings() {
    return options.asRecorded();
  }

  /**
   * Allocates a block; returns {@link #NO_BLOCK} when out of memory.
   *
   * @param bytes 0 or more; 0 returns {@link #NO_BLOCK}
   * @param alignment a power of two
   * @return the block's handle, or {@link #NO_BLOCK}
   */
  public long tryAllocate(long bytes, long alignment, int stream, AllocationAttributes attributes) {
    if (bytes < 0 || Long.bitCount(alignment) != 1) {
      throw new IllegalArgumentException(
          "A request needs a size of 0 or more and an alignment that is a power of two, got "
              + bytes
              + " bytes with alignment "
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
        steps.rejectEmpty(attributes);
      } else {
        long atLeastUnit = Math.max(alignment, ChunkTable.UNIT_BYTES);
        int slot = steps.allocate(bytes, atLeastUnit, stream, attributes, scopes, operation);
        block = slot == ChunkTable.NONE ? NO_BLOCK : pool.chunks.handle(slot);
      }
      entries = reports.drain();
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
      throw noSuchBlock(block);
    }
    return slot;
  }

  private IllegalArgumentException noSuchBlock(long block) {
    return new IllegalArgumentException(
        "Allocator "
            + options.name()
            + " has no allocated block with handle 0x"
            + Long.toHexString(block)
            + "; it was freed already or belongs to another allocator.");
  }

  @Override
  public long address(long block) {
    if (block == NO_BLOCK) {
      return 0;
    }
    long address = pool.chunks.addressOf(block);
    if (address == ChunkTable.NO_ADDRESS) {
      throw noSuchBlock(block);
    }
    return address;
  }

  /**
   * Passes the details of an allocated block to the consumer, without creating objects and without
   * taking the lock.
   */
  public void describe(long block, AllocationConsumer consumer) {
    if (!pool.chunks.describe(block, consumer)) {
      throw noSuchBlock(block);
    }
  }

  /** Has no effect: BFC does not track stream use; callers order their frees. */
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
  public AllocatorInspection inspect() {
    return this;
  }

  @Override
  public boolean tracksStreamUse() {
    return false;
  }

  /** Releases free regions. XLA only does this to make room for a larger region. */
  @Override
  public void emptyCache() {
    lock.lock();
    try {
      pool.release.releaseAll();
    } finally {
      lock.unlock();
    }
  }

  /** The annotations of each thread's requests; they appear in logs. */
  public Annotations annotations() {
    return annotations;
  }

  /** Starts counting frees; coalesces freed chunks only below the safe frontier. */
  public void useTimingCounter(TimingCounter counter) {
    lock.lock();
    try {
      pool.timedFrees.useCounter(counter);
    } finally {
      lock.unlock();
    }
  }

  /** Marks all memory freed before this count as no longer in use. */
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
    return lock.during(() -> stateReader.totals(steps.nextAllocationId() - 1));
  }

  public BfcStatistics statistics() {
    return lock.during(stateReader::statistics);
  }

  /** Resets the allocation counters and the peaks, except the peak of the pool's size. */
  public void clearStatistics() {
    lock.lock();
    try {
      pool.statistics.clear();
    } finally {
      lock.unlock();
    }
  }

  public MemoryMap memoryMap() {
    return lock.during(stateReader::memoryMap);
  }

  public BfcState state() {
    return lock.during(() -> stateReader.state(steps.nextAllocationId()));
  }

  /** The pool's occupancy as a line of 100 characters. */
  public String occupancy() {
    return lock.during(stateReader::occupancy);
  }

  /** Logs the state of the pool, with the bin that serves requests of this size. */
  public void logMemory(long bytes, AllocationEnd end) {
    List<LogEntry> entries =
        lock.during(
            () -> {
              reports.dump(bytes, end);
              return reports.drain();
            });
    reports.deliver(entries);
  }

  @Override
  public void visitSegments(Consumer<? super SegmentView> visitor) {
    List<SegmentView> segments =
        lock.during(
            () -> {
              listeners.stateCaptured();
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
    return lock.during(() -> pool.ranking.adjacentFreeBytes(require(block)));
  }

  @Override
  public List<ReleaseCandidate> releaseCandidates(int limit) {
    return lock.during(() -> stateReader.releaseCandidates(limit));
  }

  @Override
  public void addListener(AllocatorListener listener) {
    lock.during(() -> listeners.add(listener));
  }

  @Override
  public void removeListener(AllocatorListener listener) {
    lock.during(() -> listeners.remove(listener));
  }

  @Override
  public void checkInvariants() {
    lock.during(() -> new InvariantCheck(pool).run());
  }
}
