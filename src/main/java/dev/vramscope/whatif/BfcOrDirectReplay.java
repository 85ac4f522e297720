package dev.vramscope.whatif;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.bfc.RetryClock;
import dev.vramscope.allocator.bfc.log.FailureLogLimit;
import dev.vramscope.allocator.bfc.log.LogSink;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.MemorySubAllocator;

/**
 * A replay through an allocator without pools: XLA's BFC allocator, or the driver itself. Neither
 * keeps a freed block for another stream: BFC leaves the order of streams to its clients, and the
 * driver waits for the device before it frees.
 */
final class BfcOrDirectReplay {
  private final Replay replay;
  private final RecordedRun run;
  private final Allocator allocator;

  /** A replay through the driver. */
  BfcOrDirectReplay(Replay replay) {
    this(replay, new DirectAllocator(replay.device()));
  }

  BfcOrDirectReplay(Replay replay, DeviceSize size, Variant.Bfc variant) {
    this(
        replay,
        new BfcAllocator(
            options(replay, size, variant),
            new MemorySubAllocator(replay.device().memory()),
            LogSink.SILENT,
            new FailureLogLimit(),
            RetryClock.virtual()));
  }

  private BfcOrDirectReplay(Replay replay, Allocator allocator) {
    this.replay = replay;
    this.allocator = allocator;
    run = replay.run();
  }

  private static BfcOptions options(Replay replay, DeviceSize size, Variant.Bfc variant) {
    long bytes = replay.device().memory().totalBytes() - size.othersBytes();
    return variant.pool().options(bytes);
  }

  Outcome outcome() {
    for (int i = 0; i < run.operations() && replay.reaches(i); i++) {
      switch (run.kind(i)) {
        case RecordedRun.ALLOCATE, RecordedRun.FAIL, RecordedRun.FAIL_IN_CAPTURE ->
            replay.allocate(allocator, i);
        case RecordedRun.FREE, RecordedRun.FREE_PENDING -> replay.free(allocator, i);
        case RecordedRun.EMPTY_CACHE -> allocator.emptyCache();
        default -> {
          // Neither allocator has pools, nor waits for streams.
        }
      }
    }
    replay.finished();
    AllocatorTotals totals = allocator.inspect().totals();
    return replay.outcome(
        totals.peakReservedBytes(),
        totals.peakAllocatedBytes(),
        replay.device().memory().allocateCount(),
        replay.device().memory().freeCount(),
        0);
  }
}
