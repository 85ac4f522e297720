package dev.vramscope.whatif;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.Client;
import dev.vramscope.allocator.caching.RestoredSegment;
import dev.vramscope.allocator.caching.statistics.StatisticsView;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.PoolId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  /** Whether the blocks that are older than the recording are in place. */
  private final boolean isRestored;

  /** The handles of these blocks by their recorded address. */
  private final Map<Long, Long> restored = new HashMap<>();

  private int nextEarlier;

  /** A replay from an allocator without memory, which places all blocks. */
  CachingReplay(Replay replay, Variant.Caching variant) {
    this(replay, variant, /* start= */ null);
  }

  /**
   * A replay that continues from a state.
   *
   * @param start null to begin without memory
   * @throws OutOfDeviceMemoryException if the device is too small for the state
   */
  CachingReplay(Replay replay, Variant.Caching variant, @Nullable KnownStart start) {
    this.replay = replay;
    run = replay.run();
    emptyCache = variant.emptyCache();
    allocator =
        new CachingAllocator(
            replay.device(),
            CachingOptions.of(variant.settings())
                .withTieBreak(run.tieBreak())
                .withClient(Client.REPLAY));
    isRestored = start != null;
    if (start != null) {
      restore(start.state());
    }
    // One capture for the whole replay; the status says which requests belong to it.
    allocator.memoryPools().beginCapture();
    allocator.memoryPools().setCaptureStatus(() -> isCapturing);
  }

  private void restore(InitialState state) {
    allocator.restore(state.segments(), (block, handle) -> restored.put(block.address(), handle));
    for (RestoredSegment segment : state.segments()) {
      if (segment.pool().isPrivate()) {
        pools.add(segment.pool());
      }
    }
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
        case RecordedRun.COMPLETE -> {
          replay.device().streams().synchronize(run.stream(i));
          allocator.reportProgress(run.stream(i));
        }
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
    if (isRestored && run.event(operation) == Lifetimes.BEFORE_RECORDING) {
      Long handle = restored.get(run.earlierAddresses().get(nextEarlier++));
      replay.holds(operation, handle == null ? Allocator.NO_BLOCK : handle);
      return;
    }
    int pool = run.poolNumber(operation);
    if (pool != currentPool) {
      enter(pool);
    }
    replay.allocate(allocator, operation);
  }

  private void enter(int pool) {
    if (currentPool != DEFAULT_POOL) {
      allocator.memoryPools().endAllocate(run.poolOfNumber(currentPool));
    }
    if (pool != DEFAULT_POOL) {
      allocator.memoryPools().beginAllocate(run.poolOfNumber(pool), stream -> true);
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
      while (allocator.memoryPools().useCount(pool) > 0) {
        allocator.memoryPools().release(pool);
      }
    }
  }
}
