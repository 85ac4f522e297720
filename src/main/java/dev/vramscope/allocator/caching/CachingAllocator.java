package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorEvent;
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
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.allocator.caching.configuration.ConfigurationView;
import dev.vramscope.allocator.caching.history.History;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.allocator.caching.statistics.StatisticsView;
import dev.vramscope.device.Device;
import dev.vramscope.device.Streams;
import dev.vramscope.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch's native CUDA caching allocator, release 2.14, for one device.
 *
 * <p>This class is the lock and the wiring; what happens is told by {@link AllocateSteps} and
 * {@link FreeSteps}. Everything else in this package is single-threaded, under this lock.
 */
public final class CachingAllocator implements Allocator, AllocatorInspection {
  private static final long MAX_REQUEST_BYTES = 1L << 62;
  private static final long TOO_LARGE_FOR_A_TENSOR = 1L << 60;

  private final AllocatorLock lock = new AllocatorLock();
  private final Configuration configuration = new Configuration();
  private final Listeners listeners = new Listeners();

  private final Blocks blocks = new Blocks();
  private final Segments segments = new Segments();
  private final Pools pools;
  private final StreamUses uses = new StreamUses(blocks);
  private final ReleaseRanking ranking = new ReleaseRanking(blocks);
  private final MemoryLimit limit;
  private final Statistics statistics;
  private final PendingFrees pendingFrees;
  private final Captures captures;
  private final ExpandableSegments expandableSegments;
  private final CacheRelease cacheRelease;
  private final AllocateSteps allocateSteps;
  private final FreeSteps freeSteps;
  private final AddressedAllocation addressedAllocation;
  private final OutOfMemoryReport report;
  private final SegmentViews views;
  private final History history;

  /**
   * An allocator that holds nothing yet.
   *
   * @throws ConfigurationException if the settings are not accepted
   */
  public CachingAllocator(Device device, CachingOptions options) {
    configuration.readInitial(options.settings(), options.deviceSettings());
    limit = new MemoryLimit(device.memory().totalBytes());
    limit.setFraction(configuration.perProcessMemoryFraction());
    statistics = new Statistics(configuration.maxSplitBytes());
    pools = new Pools(blocks, options.tieBreak());
    history = new History(lock, listeners, pools::id, options.clockMicros());

    SizeRules sizes = new SizeRules(configuration);
    SegmentLayout layout = new SegmentLayout(blocks, segments);
    FreeCompletion completion =
        new FreeCompletion(blocks, layout, pools, statistics, listeners, ranking);
    pendingFrees =
        new PendingFrees(blocks, uses, pools, completion, statistics, listeners, device.streams());
    captures = new Captures(blocks, uses, pendingFrees, completion, configuration);
    freeSteps =
        new FreeSteps(
            blocks,
            pools,
            uses,
            completion,
            pendingFrees,
            captures,
            configuration,
            statistics,
            listeners,
            ranking);

    PlainSegments plainSegments =
        new PlainSegments(
            blocks, segments, limit, configuration, statistics, listeners, device, lock);
    expandableSegments =
        new ExpandableSegments(
            blocks, layout, segments, sizes, limit, statistics, listeners, device, ranking);
    cacheRelease =
        new CacheRelease(
            blocks,
            pools,
            pendingFrees,
            captures,
            plainSegments,
            expandableSegments,
            configuration);
    BlockAssignment assignment =
        new BlockAssignment(blocks, layout, configuration, statistics, listeners, ranking);
    allocateSteps =
        new AllocateSteps(
            pools,
            sizes,
            new BlockSearch(blocks, configuration, limit),
            assignment,
            pendingFrees,
            captures,
            plainSegments,
            expandableSegments,
            cacheRelease,
            new GarbageCollection(blocks, pools, plainSegments, limit, configuration),
            limit,
            configuration,
            statistics);
    addressedAllocation =
        new AddressedAllocation(
            blocks, pools, sizes, assignment, freeSteps, configuration, listeners);
    report = new OutOfMemoryReport(device, pools, limit, configuration, statistics, listeners);
    views = new SegmentViews(blocks, segments, pools, pendingFrees);
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

  /** As {@link #allocate} does, but for any number of bytes from 1 to below 2^64. */
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
      Request request = allocateSteps.request(bytes, stream);
      block = allocateSteps.allocateFromDevice(request);
      if (block != Blocks.NONE) {
        return blocks.handle(block);
      }
      failure = report.fail(request);
    } finally {
      lock.unlock();
    }
    throw report.tellObservers(failure);
  }

  /** What a tensor asks for: more than 1 EB is refused without looking for it. */
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
          "A request is for 0 to " + MAX_REQUEST_BYTES + " bytes, got " + bytes);
    }
    if (stream < 0 || stream > Streams.MAX_STREAM) {
      throw new IllegalArgumentException(
          "A stream is a number from 0 to " + Streams.MAX_STREAM + ", got " + stream);
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
    return locked(
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

  @Override
  public AllocatorInspection inspect() {
    return this;
  }

  @Override
  public boolean followsStreams() {
    return true;
  }

  /** Attaches a text to an allocated block; it goes to the listeners. */
  public void annotate(long block, String text) {
    underLock(
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

  // Cache and limits ---------------------------------------------------------------------------

  /**
   * Waits for pending frees and releases all that can go.
   *
   * @throws IllegalStateException while a capture is underway
   */
  @Override
  public void emptyCache() {
    underLock(cacheRelease::emptyAll);
  }

  /** The same for one private pool; nothing if it is unknown or still used. */
  public void emptyCache(PoolId id) {
    underLock(() -> cacheRelease.empty(id));
  }

  /**
   * Limits what may be held to a share of the device.
   *
   * @param fraction from 0 to 1; 1 is no limit
   */
  public void setMemoryFraction(double fraction) {
    underLock(() -> limit.setFraction(fraction));
  }

  public double memoryFraction() {
    return locked(limit::fraction);
  }

  /**
   * Reads a settings string, as {@code PYTORCH_CUDA_ALLOC_CONF} has it, into the running allocator.
   *
   * @throws ConfigurationException if it is not accepted; what stood before the mistake is set
   */
  public void configure(String settings) {
    underLock(() -> configuration.read(settings));
  }

  public ConfigurationView configuration() {
    return locked(configuration::view);
  }

  // Private pools and captures -----------------------------------------------------------------

  /** Makes a private pool, or adds a user to it. */
  public void createOrUsePool(PoolId id) {
    underLock(() -> pools.createOrUse(id));
  }

  /**
   * From now on requests of the streams that pass the filter go to the pool, which gets a user.
   *
   * @throws IllegalStateException if there is such a scope for the pool already; it got the user
   */
  public void beginAllocateToPool(PoolId id, IntPredicate streamFilter) {
    underLock(() -> pools.beginScope(id, streamFilter));
  }

  /** Ends the scope; the pool keeps the user. */
  public void endAllocateToPool(PoolId id) {
    underLock(() -> pools.endScope(id));
  }

  /** Takes a user off the pool. Once the last is gone, emptying the cache releases its memory. */
  public void releasePool(PoolId id) {
    underLock(() -> pools.release(id));
  }

  public int poolUseCount(PoolId id) {
    return locked(() -> pools.require(id).useCount());
  }

  /**
   * Whether requests of the default pools may be served from pools of this id before they fail: of
   * the present one, if there is one, and of later ones.
   */
  public void setUsedOnOutOfMemory(PoolId id, boolean used) {
    underLock(() -> pools.setHelper(id, used));
  }

  /**
   * Blocks of this pool, even if it is made later, are handed out whole until its last user is
   * gone.
   */
  public void forbidSplits(PoolId id) {
    underLock(() -> pools.forbidSplits(id));
  }

  /** A graph capture begins: until it ends, frees that need events are put off. */
  public void beginCapture() {
    underLock(captures::begin);
  }

  public void endCapture() {
    underLock(captures::end);
  }

  // Questions ----------------------------------------------------------------------------------

  @Override
  public AllocatorTotals totals() {
    return locked(statistics::totals);
  }

  public StatisticsView statistics() {
    return locked(statistics::view);
  }

  public void resetPeakStatistics() {
    underLock(statistics::resetPeaks);
  }

  public void resetAccumulatedStatistics() {
    underLock(statistics::resetAccumulated);
  }

  @Override
  public void visitSegments(Consumer<? super SegmentView> visitor) {
    locked(
            () -> {
              listeners.stateCaptured();
              return views.of(PoolId.DEFAULT);
            })
        .forEach(visitor);
  }

  /**
   * The segments of all pools or of one private pool, in address order. That somebody looked is
   * itself an event.
   */
  public List<SegmentView> snapshot(PoolId only) {
    return locked(
        () -> {
          List<SegmentView> found = views.of(only);
          long activeBytes = found.stream().mapToLong(SegmentView::activeBytes).sum();
          listeners.event(
              AllocatorEvent.SNAPSHOT, 0, activeBytes, Streams.DEFAULT, pools.numberFor(only));
          return found;
        });
  }

  @Override
  public @Nullable BlockView blockAt(long address) {
    return locked(() -> views.at(address));
  }

  @Override
  public long adjacentFreeBytes(long block) {
    return locked(() -> ranking.adjacentFreeBytes(blocks.require(block)));
  }

  @Override
  public List<ReleaseCandidate> releaseCandidates(int limit) {
    return locked(() -> views.candidates(ranking, limit));
  }

  /** The size of the largest inactive block of any pool. */
  public long largestFreeBlockBytes() {
    return locked(pools::largestFreeBytes);
  }

  /**
   * The driver allocation that an allocated block is a part of.
   *
   * @throws IllegalStateException if it lies in an expandable segment
   */
  public BaseAllocation baseAllocation(long block) {
    return locked(() -> views.baseOf(blocks.require(block)));
  }

  /** In the order of their making. */
  public List<ExpandableSegmentView> expandableSegments() {
    return locked(expandableSegments::views);
  }

  @Override
  public Map<String, String> settings() {
    return configuration().asRecorded();
  }

  @Override
  public PoolId poolId(int number) {
    return locked(() -> pools.id(number));
  }

  @Override
  public boolean isLargePool(int number) {
    return locked(() -> pools.isLarge(number));
  }

  // Listeners ----------------------------------------------------------------------------------

  /** What happened so far, if it is recorded. */
  public History history() {
    return history;
  }

  @Override
  public void addListener(AllocatorListener listener) {
    underLock(() -> listeners.add(listener));
  }

  @Override
  public void removeListener(AllocatorListener listener) {
    underLock(() -> listeners.remove(listener));
  }

  /** Adds an observer of failed requests; it is called without the lock. */
  public void addOutOfMemoryObserver(OutOfMemoryObserver observer) {
    report.addObserver(observer);
  }

  @Override
  public void checkInvariants() {
    underLock(
        () -> {
          new InvariantCheck(blocks, segments, pools, limit, statistics, pendingFrees, uses).run();
          ranking.checkInvariants();
        });
  }

  /** For calls that are not made a million times a second: a closure costs a little. */
  private <T extends @Nullable Object> T locked(Supplier<T> question) {
    lock.lock();
    try {
      return question.get();
    } finally {
      lock.unlock();
    }
  }

  private void underLock(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }
}
