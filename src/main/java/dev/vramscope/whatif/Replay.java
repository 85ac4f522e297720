package dev.vramscope.whatif;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.statistics.StatisticsView;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.PoolId;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One run of the recorded requests through an allocator on a simulated device. A request that fails
 * is counted and skipped with its free, and the replay goes on.
 */
public final class Replay {
  private static final int PROGRESS_STEP = 1 << 13;

  private final RecordedRun run;
  private final SimDevice device;
  private final long[] handles;
  private int firstFailure = -1;
  private long failures;
  private boolean isCapturing;

  private Replay(RecordedRun run, DeviceSize size) {
    this.run = run;
    device = SimDevice.ofBytes(size.simulatedBytes());
    device.setExternalBytes(size.othersBytes());
    handles = new long[run.slotCount()];
  }

  /**
   * Replays a whole recording.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept the settings
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  public static Outcome run(RecordedRun run, Variant variant, DeviceSize size, Progress progress) {
    return run(run, run.operations(), variant, size, progress);
  }

  /** Replays a recording up to an event, that event included. */
  public static Outcome runUntil(
      RecordedRun run, int event, Variant variant, DeviceSize size, Progress progress) {
    return run(run, run.operationsUntil(event), variant, size, progress);
  }

  private static Outcome run(
      RecordedRun run, int operations, Variant variant, DeviceSize size, Progress progress) {
    Replay replay = new Replay(run, size);
    return switch (variant) {
      case Variant.Caching caching -> replay.cached(caching, operations, progress);
      case Variant.Bfc _, Variant.Direct _ ->
          throw new UnsupportedOperationException(variant.label());
    };
  }

  private Outcome cached(Variant.Caching variant, int operations, Progress progress) {
    CachingAllocator allocator =
        new CachingAllocator(device, CachingOptions.of(variant.settings()));
    allocator.beginCapture();
    allocator.setCaptureStatus(() -> isCapturing);
    Set<PoolId> used = new HashSet<>();
    int current = 0;
    for (int i = 0; i < operations; i++) {
      if (i % PROGRESS_STEP == 0) {
        progress.reached(i);
      }
      switch (run.kind(i)) {
        case RecordedRun.ALLOCATE, RecordedRun.FAIL, RecordedRun.FAIL_IN_CAPTURE -> {
          if (run.poolNumber(i) != current) {
            current = enterPool(allocator, current, i, used);
          }
          isCapturing = run.kind(i) == RecordedRun.FAIL_IN_CAPTURE;
          allocate(allocator, i);
          isCapturing = false;
        }
        case RecordedRun.FREE -> free(allocator, run.slot(i));
        case RecordedRun.FREE_PENDING -> {
          if (handles[run.slot(i)] != Allocator.NO_BLOCK) {
            allocator.recordStream(handles[run.slot(i)], run.stream(i));
            free(allocator, run.slot(i));
          }
        }
        case RecordedRun.COMPLETE -> device.streams().advance(run.stream(i), Long.MAX_VALUE >> 1);
        case RecordedRun.EMPTY_CACHE -> allocator.emptyCache(run.pool(i));
        case RecordedRun.RELEASE_POOL -> {
          if (current == run.poolNumber(i)) {
            current = enterPool(allocator, current, -1, used);
          }
          if (used.remove(run.pool(i))) {
            while (allocator.poolUseCount(run.pool(i)) > 0) {
              allocator.releasePool(run.pool(i));
            }
          }
        }
        default -> throw new IllegalStateException("operation " + run.kind(i));
      }
    }
    progress.reached(operations);
    return outcome(allocator);
  }

  private int enterPool(CachingAllocator allocator, int current, int operation, Set<PoolId> used) {
    if (current != 0) {
      allocator.endAllocateToPool(poolOf(current));
    }
    int next = operation < 0 ? 0 : run.poolNumber(operation);
    if (next != 0) {
      allocator.beginAllocateToPool(run.pool(operation), stream -> true);
      used.add(run.pool(operation));
    }
    return next;
  }

  private PoolId poolOf(int number) {
    return run.poolOfNumber(number);
  }

  private void allocate(Allocator allocator, int operation) {
    long handle = Allocator.NO_BLOCK;
    try {
      handle = allocator.allocate(run.bytes(operation), run.stream(operation));
    } catch (OutOfDeviceMemoryException _) {
      failures++;
      if (firstFailure < 0) {
        firstFailure = run.event(operation);
      }
    }
    if (run.slot(operation) >= 0) {
      handles[run.slot(operation)] = handle;
    }
  }

  private void free(Allocator allocator, int slot) {
    allocator.free(handles[slot]);
    handles[slot] = Allocator.NO_BLOCK;
  }

  private Outcome outcome(CachingAllocator allocator) {
    AllocatorTotals totals = allocator.totals();
    StatisticsView statistics = allocator.statistics();
    return new Outcome(
        failures == 0,
        firstFailure < 0 ? OptionalInt.empty() : OptionalInt.of(firstFailure),
        failures,
        totals.peakReservedBytes(),
        totals.peakAllocatedBytes(),
        statistics.deviceAllocCount(),
        statistics.deviceFreeCount(),
        statistics.allocRetryCount());
  }
}
