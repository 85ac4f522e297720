package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorInspection;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.OutOfMemoryObserver;
import dev.vramscope.allocator.ReleaseCandidate;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.caching.blocks.BlockFinder;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.allocator.caching.configuration.ConfigurationView;
import dev.vramscope.allocator.caching.history.History;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.allocator.caching.statistics.StatisticsView;
import dev.vramscope.device.Device;
import dev.vramscope.device.Streams;
import dev.vramscope.model.Block;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.TraceAction;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch's native CUDA caching allocator, release 2.14, for one device. Thread-safe.
 *
 * <p>This class locks and delegates; {@link AllocateSteps} serves requests and {@link FreeSteps}
 * frees blocks. All other classes of this package require the lock.
 */
public final class CachingAllocator implements Allocator, AllocatorInspection {
  private static final long MAX_REQUEST_BYTES = 1L << 62;
  private static final long TOO_LARGE_FOR_A_TENSOR = 1L << 60;

  private final AllocatorLock lock;
  private final Configuration configuration;
  private final Listeners listeners;
  private final Blocks blocks;
  private final Pools pools;
  private final MemoryLimit limit;
  private final Statistics statistics;
  private final ReleaseRanking ranking;

  private final CachingState state;
  private final PendingFrees pendingFrees;
  private final Captures captures;
  private final MemoryPools memoryPools;
  private final ExpandableSegments expandableSegments;
  private final CacheRelease cacheRelease;
  private final AllocateSteps allocateSteps;
  private final FreeSteps freeSteps;
  private final AddressedAllocation addressedAllocation;
  private final StateRestore stateRestore;
  private final OutOfMemoryReport report;
  private final SegmentViews views;
  private final History history;

  /**
   * An allocator without segments.
   *
   * @throws ConfigurationException if the settings are not accepted
   */
  public CachingAllocator(Device device, CachingOptions options) {
    state = new CachingState(device, options);
    lock = state.lock;
    configuration = state.configuration;
    listeners = state.listeners;
    blocks = state.blocks;
    pools = state.pools;
    limit = state.limit;
    statistics = state.statistics;
    ranking = state.ranking;

    FreeCompletion completion = new FreeCompletion(state);
    pendingFrees = new PendingFrees(state, completion);
    captures = new Captures(state, pendingFrees, completion);
    memoryPools = new MemoryPools(state, captures);
    freeSteps = new FreeSteps(state, completion, pendingFrees, captures);

    PlainSegments plainSegments = new PlainSegments(state);
    expandableSegments = new ExpandableSegments(state);
    cacheRelease =
        new CacheRelease(state, pendingFrees, captures, plainSegments, expandableSegments);
    BlockAssignment assignment = new BlockAssignment(state);
    allocateSteps =
        new AllocateSteps(
            state,
            assignment,
            pendingFrees,
            captures,
            plainSegments,
            expandableSegments,
            cacheRelease);
    BlockFinder finder = new BlockFinder(blocks, state.segments);
    addressedAllocation = new AddressedAllocation(state, finder, assignment, freeSteps);
    stateRestore =
        new StateRestore(state, assignment, freeSteps, plainSegments, expandableSegments);
    report = new OutOfMemoryReport(state);
    views = new SegmentViews(state, pendingFrees, finder);
    history = new History(lock, listeners, pools::id, options.clockMicros());
  }

  // Blocks -------------------------------------------------------------------------------------

  @Override
  public long allocate(long bytes, int stream) {
    if (bytes == 0) {
      return NO_BLOCK;
    }
    requireRequest(bytes, stream);
    return allocateUnsigned(bytes, stream);
  }

  /** Like {@link #allocate}, but for any unsigned number of bytes from 1 up. */
  public long allocateUnsigned(long bytes, int stream) {
    requireRequest(1, stream);
    OutOfMemoryReport.Failure failure;
    lock.lock();
    try {
      allocateSteps.collectPendingFrees();
      int block = allocateSteps.allocateFromCache(bytes, stream);
      if (block != Blocks.NONE) {
        return blocks.handle(block);
      }
      CachingRequest request = allocateSteps.request(bytes, stream);
      block = allocateSteps.allocateFromDevice(request);
      if (block != Blocks.NONE) {
        return blocks.handle(block);
      }
      failure = report.fail(request);
    } finally {
      lock.unlock();
    }
    throw report.notifyObservers(failure);
  }

  /** Allocates as PyTorch does for a tensor: requests of 1 EB and more are rejected beforehand. */
  public long allocateForTensor(long bytes, int stream) {
    if (Long.compareUnsigned(bytes, TOO_LARGE_FOR_A_TENSOR) >= 0) {
      throw new OutOfDeviceMemoryException(
          bytes, "CUDA out of memory. Tried to allocate more than 1EB memory.");
    }
    return allocate(bytes, stream);
  }

  private static void requireRequest(long bytes, int stream) {
    if (bytes < 0 || bytes > MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException(
          "A request must be for 0 to " + MAX_REQUEST_BYTES + " bytes, got " + bytes);
    }
    if (stream < 0 || stream > Streams.MAX_STREAM) {
      throw new IllegalArgumentException(
          "A stream must be a number from 0 to " + Streams.MAX_STREAM + ", got " + stream);
    }
  }

  /**
   * Allocates at an exact address, inside the cache.
   *
   * @param address a multiple of 512
   * @throws IllegalStateException if no inactive block of the right pool covers the range
   */
  public long allocateAt(long bytes, int stream, long address) {
    if (bytes == 0) {
      return NO_BLOCK;
    }
    requireRequest(bytes, stream);
    AddressedAllocation.requireAligned(address);
    return lock.during(
        () -> {
          allocateSteps.collectPendingFrees();
          return blocks.handle(addressedAllocation.allocate(bytes, stream, address));
        });
  }

  @Override
  public void free(long block) {
    if (block == NO_BLOCK) {
      return;
    }
    lock.lock();
    try {
      freeSteps.free(blocks.require(block));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long address(long block) {
    return block == NO_BLOCK ? 0 : blocks.addressOf(block);
  }

  @Override
  public void recordStream(long block, int stream) {
    if (block == NO_BLOCK) {
      return;
    }
    requireRequest(1, stream);
    lock.lock();
    try {
      captures.recordUse(blocks.require(block), stream);
    } finally {
      lock.unlock();
    }
  }

  /** An event of a stream may be done. Only a {@link Client#REPLAY} has to report it. */
  public void reportProgress(int stream) {
    requireRequest(1, stream);
    lock.during(() -> pendingFrees.report(stream));
  }

  @Override
  public AllocatorInspection inspect() {
    return this;
  }

  @Override
  public boolean tracksStreamUse() {
    return true;
  }

  /** Attaches a text to an allocated block, which is reported to the listeners. */
  public void annotate(long block, String text) {
    lock.during(
        () -> {
          int slot = blocks.require(block);
          listeners.annotated(
              blocks.address(slot),
              blocks.requestedBytes(slot),
              blocks.stream(slot),
              blocks.pool(slot),
              text);
        });
  }

  /**
   * Continues from a recorded state. Counters of calls start at 0, and peaks at that state. A block
   * that waits for a stream is restored as allocated; the caller frees it.
   *
   * @param oldestFirst in the order in which the segments were acquired
   * @param active receives each active block, with its handle
   * @throws OutOfDeviceMemoryException if the device has too little memory
   */
  public void restore(List<RestoredSegment> oldestFirst, ObjLongConsumer<? super Block> active) {
    lock.during(() -> stateRestore.restore(oldestFirst, active));
  }

  // Cache and limits ---------------------------------------------------------------------------

  /**
   * Waits for pending frees and releases all cached memory. During a capture it releases only that
   * of private pools without users.
   */
  @Override
  public void emptyCache() {
    lock.during(cacheRelease::releaseAll);
  }

  /**
   * The same for one private pool; does nothing if it is unknown or has users.
   *
   * @throws CaptureActiveException if it has none, during a capture
   */
  public void emptyCache(PoolId id) {
    lock.during(() -> cacheRelease.release(id));
  }

  /**
   * Limits the memory held by the allocator to a fraction of the device.
   *
   * @param fraction from 0 to 1; 1 is no limit
   */
  public void setMemoryFraction(double fraction) {
    lock.during(() -> limit.setFraction(fraction));
  }

  public double memoryFraction() {
    return lock.during(limit::fraction);
  }

  /**
   * Applies a settings string in the syntax of {@code PYTORCH_CUDA_ALLOC_CONF}.
   *
   * @throws ConfigurationException if it is not accepted; settings before the mistake are applied
   */
  public void configure(String settings) {
    lock.during(() -> configuration.read(settings));
  }

  public ConfigurationView configuration() {
    return lock.during(configuration::view);
  }

  public MemoryPools memoryPools() {
    return memoryPools;
  }

  // Views --------------------------------------------------------------------------------------

  @Override
  public AllocatorTotals totals() {
    return lock.during(statistics::totals);
  }

  public StatisticsView statistics() {
    return lock.during(statistics::view);
  }

  public void resetPeakStatistics() {
    lock.during(statistics::resetPeaks);
  }

  public void resetAccumulatedStatistics() {
    lock.during(statistics::resetAccumulated);
  }

  @Override
  public void visitSegments(Consumer<? super SegmentView> visitor) {
    lock.during(
            () -> {
              listeners.stateCaptured();
              return views.of(PoolId.DEFAULT);
            })
        .forEach(visitor);
  }

  /**
   * The segments of all pools or of one private pool, in address order. Taking a snapshot is itself
   * an event.
   *
   * @param only the private pool; the default id returns the segments of all pools
   */
  public List<SegmentView> snapshot(PoolId only) {
    return lock.during(
        () -> {
          List<SegmentView> segments = views.of(only);
          long activeBytes = segments.stream().mapToLong(SegmentView::activeBytes).sum();
          listeners.event(
              TraceAction.SNAPSHOT, 0, activeBytes, Streams.DEFAULT, pools.numberFor(only));
          return segments;
        });
  }

  @Override
  public @Nullable BlockView blockAt(long address) {
    return lock.during(() -> views.at(address));
  }

  /** The inactive block that covers an address, or null if no block does, or it is in use. */
  public @Nullable BlockView inactiveBlockAt(long address) {
    return lock.during(() -> views.inactiveAt(address));
  }

  @Override
  public long adjacentFreeBytes(long block) {
    return lock.during(() -> ranking.adjacentFreeBytes(blocks.require(block)));
  }

  @Override
  public List<ReleaseCandidate> releaseCandidates(int limit) {
    return lock.during(() -> views.candidates(ranking, limit));
  }

  /** The size of the largest inactive block of any pool. */
  public long largestFreeBlockBytes() {
    return lock.during(pools::largestFreeBytes);
  }

  /**
   * The driver allocation that contains an allocated block.
   *
   * @throws IllegalStateException if the block is in an expandable segment
   */
  public BaseAllocation baseAllocation(long block) {
    return lock.during(() -> views.baseOf(blocks.require(block)));
  }

  /** In order of creation. */
  public List<ExpandableSegmentView> expandableSegments() {
    return lock.during(expandableSegments::views);
  }

  @Override
  public Map<String, String> settings() {
    return configuration().asRecorded();
  }

  @Override
  public PoolId poolId(int number) {
    return lock.during(() -> pools.id(number));
  }

  @Override
  public boolean isLargePool(int number) {
    return lock.during(() -> pools.isLarge(number));
  }

  // Listeners ----------------------------------------------------------------------------------

  public History history() {
    return history;
  }

  @Override
  public void addListener(AllocatorListener listener) {
    lock.during(() -> listeners.add(listener));
  }

  @Override
  public void removeListener(AllocatorListener listener) {
    lock.during(() -> listeners.remove(listener));
  }

  /** Adds an observer of failed requests; it is called without the lock. */
  public void addOutOfMemoryObserver(OutOfMemoryObserver observer) {
    report.addObserver(observer);
  }

  @Override
  public void checkInvariants() {
    lock.during(
        () -> {
          new InvariantCheck(state, pendingFrees).run();
          ranking.checkInvariants();
        });
  }
}
