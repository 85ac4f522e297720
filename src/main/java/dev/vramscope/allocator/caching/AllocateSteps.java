package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;

/**
 * Serving a request, in steps. Each is tried only if the one before found nothing:
 *
 * <ol>
 *   <li><b>find</b> the best inactive block of the pool and stream;
 *   <li><b>extend</b>: acquire a segment from the device, or map pages, after collecting garbage if
 *       that is set;
 *   <li><b>borrow</b> from private pools that offered to help out;
 *   <li><b>release available</b>: let oversize blocks go and extend again;
 *   <li><b>release cached</b>: let everything go that can, and <b>retry</b>;
 *   <li><b>report</b> that there is no memory.
 * </ol>
 *
 * A rejected request (the settings forbid to even ask the device) goes from step 2 to 6.
 */
final class AllocateSteps {
  private final Pools pools;
  private final SizeRules sizes;
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

  AllocateSteps(
      Pools pools,
      SizeRules sizes,
      BlockSearch search,
      BlockAssignment assignment,
      PendingFrees pendingFrees,
      Captures captures,
      PlainSegments plainSegments,
      ExpandableSegments expandableSegments,
      CacheRelease cacheRelease,
      GarbageCollection garbageCollection,
      MemoryLimit limit,
      Configuration configuration,
      Statistics statistics) {
    this.pools = pools;
    this.sizes = sizes;
    this.search = search;
    this.assignment = assignment;
    this.pendingFrees = pendingFrees;
    this.captures = captures;
    this.plainSegments = plainSegments;
    this.expandableSegments = expandableSegments;
    this.cacheRelease = cacheRelease;
    this.garbageCollection = garbageCollection;
    this.limit = limit;
    this.configuration = configuration;
    this.statistics = statistics;
  }

  /** What the cache holds and nobody uses any more may serve the next request. */
  void collectPendingFrees() {
    // During a capture no event may be asked about.
    if (!captures.isUnderway()) {
      captures.settle();
      pendingFrees.collect();
    }
  }

  /**
   * Step 1.
   *
   * @return the allocated block, or {@link Blocks#NONE}
   */
  int allocateFromCache(long requestedBytes, int stream) {
    long bytes = sizes.roundedBytes(requestedBytes);
    Pool pool = pools.poolFor(bytes, stream);
    boolean expandable = configuration.expandableSegments();
    int found = search.find(pool, stream, SizeRules.soughtBytes(bytes), expandable);
    if (found == Blocks.NONE) {
      return Blocks.NONE;
    }
    boolean split = assignment.shouldSplit(pool, found, bytes, expandable);
    return assignment.assign(pool, found, bytes, requestedBytes, split);
  }

  /** A request that step 1 had nothing for. */
  Request request(long requestedBytes, int stream) {
    long bytes = sizes.roundedBytes(requestedBytes);
    return new Request(
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
   * @return the allocated block, or {@link Blocks#NONE} if there is only step 6 left
   */
  int allocateFromDevice(Request request) {
    PrivatePool owner = request.pool().owner();
    if (owner == null) {
      return runDeviceSteps(request);
    }
    // On the way the cache is released, and the lock perhaps let go.
    owner.beginRequest();
    try {
      return runDeviceSteps(request);
    } finally {
      owner.endRequest();
    }
  }

  private int runDeviceSteps(Request request) {
    garbageCollection.collect();
    int found = extend(request);
    if (found == Blocks.NONE && !request.isRejected()) {
      int borrowed = borrow(request);
      if (borrowed != Blocks.NONE) {
        return take(request, borrowed, false);
      }
      if (cacheRelease.releaseAvailable(request)) {
        found = extend(request);
      }
    }
    if (found == Blocks.NONE && !request.isRejected() && !captures.isUnderway()) {
      cacheRelease.releaseAll();
      statistics.countAllocRetry();
      found = extend(request);
    }
    return found == Blocks.NONE ? Blocks.NONE : take(request, found, request.expandable);
  }

  private int take(Request request, int found, boolean expandable) {
    Pool pool = request.pool();
    boolean split = assignment.shouldSplit(pool, found, request.bytes, expandable);
    return assignment.assign(pool, found, request.bytes, request.requestedBytes, split);
  }

  /** Asks the device, unless a limit says that there is no use. */
  private int extend(Request request) {
    long segmentBytes = SizeRules.soughtBytes(request.segmentBytes);
    if (limit.isExceededBy(segmentBytes)) {
      return Blocks.NONE;
    }
    if (configuration.throwOnDeviceMallocOom()
        && limit.heldBytes() + segmentBytes
            > (long) (configuration.perProcessMemoryFraction() * limit.deviceBytes())) {
      statistics.countRejection();
      request.reject();
      return Blocks.NONE;
    }
    return request.expandable
        ? expandableSegments.acquire(
            request.pool(), request.stream, SizeRules.soughtBytes(request.bytes))
        : plainSegments.acquire(request.pool(), request.stream, segmentBytes);
  }

  /** A request of a default pool may be served by what private pools have lying free. */
  private int borrow(Request request) {
    if (request.pool().owner() != null) {
      return Blocks.NONE;
    }
    for (PrivatePool helper : pools.privatePools()) {
      if (pools.isHelper(helper)) {
        Pool pool = request.pool().isSmall() ? helper.small() : helper.large();
        int found = search.find(pool, request.stream, SizeRules.soughtBytes(request.bytes), false);
        if (found != Blocks.NONE) {
          request.moveTo(pool);
          return found;
        }
      }
    }
    return Blocks.NONE;
  }
}
