package dev.vramscope.whatif;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.statistics.StatisticsView;
import dev.vramscope.model.PoolId;
import java.util.HashSet;
import java.util.Set;

/** A replay through PyTorch's caching allocator. */
final class CachingReplay {
  private static final int DEFAULT_POOL = 0;

  private final Replay replay;
  private final RecordedRun run;
  private final EmptyCache emptyCache;
  private final CachingAllocator allocator;
  private final Set<PoolId> pools = new HashSet<>();
  private int currentPool = DEFAULT_POOL;
  private boolean isCapturing;

  CachingReplay(Replay replay, Variant.Caching variant) {
    this.replay = replay;
    run = replay.run();
    emptyCache = variant.emptyCache();
    allocator = new CachingAllocator(replay.device(), CachingOptions.of(variant.settings()));
    // One capture for the whole replay; the status says which requests belong to it.
    allocator.beginCapture();
    allocator.setCaptureStatus(() -> isCapturing);
  }

  Outcome outcome() {
    runAll();
    AllocatorTotals totals = allocator.totals();
    StatisticsView statistics = allocator.statistics();
    return replay.outcome(
        totals.peakReservedBytes(),
        totals.peakAllocatedBytes(),
        statistics.deviceAllocCount(),
        statistics.deviceFreeCount(),
        statistics.allocRetryCount());
  }

  /** The allocator after the whole run. */
  CachingAllocator runAll() {
    for (int i = 0; i < run.operations() && replay.reaches(i); i++) {
      switch (run.kind(i)) {
        case RecordedRun.ALLOCATE, RecordedRun.FAIL -> allocate(i);
        case RecordedRun.FAIL_IN_CAPTURE -> {
          isCapturing = true;
          allocate(i);
          isCapturing = false;
        }
        case RecordedRun.FREE -> replay.free(allocator, i);
        case RecordedRun.FREE_PENDING -> {
          if (replay.handle(i) != Allocator.NO_BLOCK) {
            allocator.recordStream(replay.handle(i), run.stream(i));
          }
          replay.free(allocator, i);
        }
        case RecordedRun.COMPLETE -> replay.device().streams().synchronize(run.stream(i));
        case RecordedRun.EMPTY_CACHE -> allocator.emptyCache(run.pool(i));
        case RecordedRun.RELEASE_POOL -> releasePool(i);
        case RecordedRun.STEP -> {
          if (emptyCache == EmptyCache.EACH_STEP) {
            allocator.emptyCache();
          }
        }
        case RecordedRun.FAILED_STEP -> {
          if (emptyCache != EmptyCache.NEVER) {
            allocator.emptyCache();
          }
        }
        default -> throw new IllegalStateException("operation " + run.kind(i));
      }
    }
    replay.finished();
    return allocator;
  }

  private void allocate(int operation) {
    int pool = run.poolNumber(operation);
    if (pool != currentPool) {
      enter(pool);
    }
    replay.allocate(allocator, operation);
  }

  private void enter(int pool) {
    if (currentPool != DEFAULT_POOL) {
      allocator.endAllocateToPool(run.poolOfNumber(currentPool));
    }
    if (pool != DEFAULT_POOL) {
      allocator.beginAllocateToPool(run.poolOfNumber(pool), stream -> true);
      pools.add(run.poolOfNumber(pool));
    }
    currentPool = pool;
  }

  private void releasePool(int operation) {
    if (currentPool == run.poolNumber(operation)) {
      enter(DEFAULT_POOL);
    }
    PoolId pool = run.pool(operation);
    if (pools.remove(pool)) {
      while (allocator.poolUseCount(pool) > 0) {
        allocator.releasePool(pool);
      }
    }
  }
}
