package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.RequestStep;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.model.SizeRules;

/**
 * Serves a request, in steps. Each is tried only if the one before found no block:
 *
 * <ol>
 *   <li>use the best inactive block of the pool and stream;
 *   <li>collect garbage if a threshold is set, then acquire a segment from the device or map pages;
 *   <li>use an inactive block of a fallback pool;
 *   <li>release oversize blocks, and try step 2 again;
 *   <li>release the whole cache, and try step 2 again (a <b>retry</b>);
 *   <li>report that the device is out of memory ({@link OutOfMemoryReport}).
 * </ol>
 *
 * If the settings forbid acquiring memory in step 2, the request is <i>rejected</i>: steps 3 to 5
 * are skipped.
 */
final class AllocateSteps {
  private final Pools pools;
  private final BlockSearch search;
  private final BlockAssignment assignment;
  private final PendingFrees pendingFrees;
  private final Captures captures;
  private final PlainSegments plainSegments;
  private final ExpandableSegments expandableSegments;
  private final CacheRelease cacheRelease;
  private final GarbageCollection garbageCollection;
  private final MemoryLimit limit;
  private final Configuration configuration;
  private final Statistics statistics;
  private final Listeners listeners;

  AllocateSteps(
      CachingState state,
      BlockAssignment assignment,
      PendingFrees pendingFrees,
      Captures captures,
      PlainSegments plainSegments,
      ExpandableSegments expandableSegments,
      CacheRelease cacheRelease) {
    this.pools = state.pools;
    this.search = new BlockSearch(state);
    this.assignment = assignment;
    this.pendingFrees = pendingFrees;
    this.captures = captures;
    this.plainSegments = plainSegments;
    this.expandableSegments = expandableSegments;
    this.cacheRelease = cacheRelease;
    this.garbageCollection = new GarbageCollection(state, plainSegments);
    this.limit = state.limit;
    this.configuration = state.configuration;
    this.statistics = state.statistics;
    this.listeners = state.listeners;
  }

  /** Completes pending frees, so that their blocks may serve the next request. */
  void collectPendingFrees() {
    // During a capture no event may be queried.
    if (!captures.isActive()) {
      captures.processDeferred();
      pendingFrees.collect();
    }
  }

  /**
   * Step 1.
   *
   * @param requestedBytes unsigned
   * @return the allocated block, or {@link Blocks#NONE}
   */
  int allocateFromCache(long requestedBytes, int stream) {
    long bytes = configuration.sizes().roundedBytes(requestedBytes);
    Pool pool = pools.poolFor(bytes, stream);
    boolean expandable = configuration.expandableSegments();
    int block = search.take(pool, stream, SizeRules.clamped(bytes), expandable);
    if (block == Blocks.NONE) {
      return Blocks.NONE;
    }
    boolean split = assignment.shouldSplit(pool, block, bytes, expandable);
    return assignment.assign(pool, block, bytes, requestedBytes, split);
  }

  /** A request for which step 1 found no block. */
  CachingRequest request(long requestedBytes, int stream) {
    SizeRules sizes = configuration.sizes();
    long bytes = sizes.roundedBytes(requestedBytes);
    return new CachingRequest(
        requestedBytes,
        bytes,
        sizes.segmentBytes(bytes),
        stream,
        configuration.expandableSegments(),
        pools.poolFor(bytes, stream));
  }

  /**
   * Steps 2 to 5.
   *
   * @return the allocated block, or {@link Blocks#NONE} if only step 6 is left
   */
  int allocateFromDevice(CachingRequest request) {
    PrivatePool owner = request.pool().owner();
    if (owner == null) {
      return runDeviceSteps(request);
    }
    // The steps may release the cache and unlock the allocator; the pool must survive both.
    owner.beginRequest();
    try {
      return runDeviceSteps(request);
    } finally {
      owner.endRequest();
    }
  }

  private int runDeviceSteps(CachingRequest request) {
    listeners.insufficientStep(RequestStep.SEARCH, SizeRules.clamped(request.bytes));
    if (limit.isGarbageCollected(configuration)) {
      long held = limit.heldBytes();
      garbageCollection.collect();
      listeners.insufficientStep(RequestStep.COLLECT_GARBAGE, held - limit.heldBytes());
    }
    int block = acquire(request);
    if (block == Blocks.NONE && !request.isRejected()) {
      int borrowed = takeFromFallbackPool(request);
      if (borrowed != Blocks.NONE) {
        return assign(request, borrowed, /* expandable= */ false);
      }
      if (releaseOversize(request)) {
        block = acquire(request);
      }
    }
    if (block == Blocks.NONE && !request.isRejected() && !captures.isActive()) {
      long held = limit.heldBytes();
      cacheRelease.releaseAll();
      listeners.requestStep(
          RequestStep.RELEASE_CACHE, held > limit.heldBytes(), held - limit.heldBytes());
      statistics.countAllocRetry();
      block = acquire(request);
    }
    return block == Blocks.NONE ? Blocks.NONE : assign(request, block, request.expandable);
  }

  private boolean releaseOversize(CachingRequest request) {
    if (configuration.maxSplitBytes() == Configuration.UNLIMITED) {
      return false;
    }
    long held = limit.heldBytes();
    boolean isEnough = cacheRelease.releaseOversize(request);
    listeners.requestStep(RequestStep.RELEASE_OVERSIZE, isEnough, held - limit.heldBytes());
    return isEnough;
  }

  private int assign(CachingRequest request, int block, boolean expandable) {
    Pool pool = request.pool();
    boolean split = assignment.shouldSplit(pool, block, request.bytes, expandable);
    return assignment.assign(pool, block, request.bytes, request.requestedBytes, split);
  }

  /** Acquires memory from the device, unless that would exceed a limit. */
  private int acquire(CachingRequest request) {
    long segmentBytes = SizeRules.clamped(request.segmentBytes);
    if (limit.isExceededBy(segmentBytes)) {
      listeners.insufficientStep(RequestStep.CHECK_LIMIT, segmentBytes);
      return Blocks.NONE;
    }
    if (configuration.throwOnDeviceMallocOom()
        && limit.heldBytes() + segmentBytes
            > (long) (configuration.perProcessMemoryFraction() * limit.deviceBytes())) {
      statistics.countRejection();
      request.reject();
      listeners.insufficientStep(RequestStep.CHECK_LIMIT, segmentBytes);
      return Blocks.NONE;
    }
    long bytes = request.expandable ? SizeRules.clamped(request.bytes) : segmentBytes;
    int block =
        request.expandable
            ? expandableSegments.acquire(request.pool(), request.stream, bytes)
            : plainSegments.acquire(request.pool(), request.stream, bytes);
    listeners.requestStep(RequestStep.ACQUIRE, block != Blocks.NONE, bytes);
    return block;
  }

  /** Serves a request of a default pool from the inactive blocks of a fallback pool. */
  private int takeFromFallbackPool(CachingRequest request) {
    if (request.pool().owner() != null) {
      return Blocks.NONE;
    }
    long bytes = SizeRules.clamped(request.bytes);
    for (PrivatePool fallback : pools.fallbackPools()) {
      Pool pool = request.pool().isSmall() ? fallback.small() : fallback.large();
      int block = search.take(pool, request.stream, bytes, /* expandable= */ false);
      listeners.requestStep(RequestStep.SEARCH_FALLBACK_POOLS, block != Blocks.NONE, bytes);
      if (block != Blocks.NONE) {
        request.moveTo(pool);
        return block;
      }
    }
    return Blocks.NONE;
  }
}
