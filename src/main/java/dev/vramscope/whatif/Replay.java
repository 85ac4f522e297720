package dev.vramscope.whatif;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.device.sim.AddressPolicy;
import dev.vramscope.device.sim.SimDevice;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One run of the recorded requests through an allocator on a simulated device. A request that fails
 * is counted and skipped with its free, and the replay goes on.
 */
public final class Replay {
  private static final int PROGRESS_STEP = 1 << 13;
  private static final long GRANULARITY_BYTES = 2L << 20;

  private final RecordedRun run;
  private final DeviceSize size;
  private final SimDevice device;
  private final Progress progress;

  /** By slot: the block, or {@link Allocator#NO_BLOCK} if its request failed. */
  private final long[] handles;

  private int firstFailure = Outcome.NO_FAILURE;
  private int lastFailure = Outcome.NO_FAILURE;
  private long failures;
  private final boolean stopsAtFailure;

  Replay(
      RecordedRun run,
      Variant variant,
      DeviceSize size,
      Progress progress,
      boolean stopsAtFailure) {
    this.run = run;
    this.stopsAtFailure = stopsAtFailure;
    this.size = size;
    this.progress = progress;
    device = new SimDevice(size.simulatedBytes(run), GRANULARITY_BYTES, addresses(run, variant));
    device.setExternalBytes(size.othersBytes());
    handles = new long[run.slotCount()];
  }

  /**
   * Replays a recording.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept the settings
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  public static Outcome run(RecordedRun run, Variant variant, DeviceSize size, Progress progress) {
    KnownStart start = run.start();
    return start != null
            && variant instanceof Variant.Caching caching
            && start.isRightFor(caching.settings())
        ? continued(run, start, caching, size, progress)
        : placed(run, variant, size, progress);
  }

  /** A replay that continues from what the allocator held, if the device can hold it. */
  static Outcome continued(
      RecordedRun run,
      KnownStart start,
      Variant.Caching variant,
      DeviceSize size,
      Progress progress) {
    if (start.isPossible(variant.settings(), size.simulatedBytes(run))) {
      try {
        return new Replay(run, variant, size, progress, /* stopsAtFailure= */ false)
            .outcome(variant, start);
      } catch (OutOfDeviceMemoryException tooSmall) {
        // Placed anew, which shows what does not fit.
      }
    }
    return placed(run, variant, size, progress);
  }

  /** A replay that begins without memory, and places the blocks from before the recording anew. */
  static Outcome placed(RecordedRun run, Variant variant, DeviceSize size, Progress progress) {
    return new Replay(run, variant, size, progress, /* stopsAtFailure= */ false)
        .outcome(variant, /* start= */ null);
  }

  /** Whether no request fails on a device of some size. Ends at the first one that does. */
  static boolean fits(RecordedRun run, Variant variant, DeviceSize size, Progress progress) {
    return untilFailure(run, variant, size, progress).fits();
  }

  /**
   * A replay that begins without memory and ends at the first request that fails.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept the settings
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  public static Outcome untilFailure(
      RecordedRun run, Variant variant, DeviceSize size, Progress progress) {
    return new Replay(run, variant, size, progress, /* stopsAtFailure= */ true)
        .outcome(variant, /* start= */ null);
  }

  private Outcome outcome(Variant variant, @Nullable KnownStart start) {
    return switch (variant) {
      case Variant.Caching caching -> new CachingReplay(this, caching, start).outcome();
      case Variant.Bfc bfc -> new BfcOrDirectReplay(this, size, bfc).outcome();
      case Variant.Direct _ -> new BfcOrDirectReplay(this).outcome();
    };
  }

  /** Where addresses decide which block is used, they are assigned as on the recorded device. */
  private static AddressPolicy addresses(RecordedRun run, Variant variant) {
    if (variant instanceof Variant.Bfc bfc && bfc.pool().descending()) {
      return AddressPolicy.DESCENDING;
    }
    return run.tieBreak() == TieBreak.ADDRESS ? AddressPolicy.DRIVER : AddressPolicy.FIRST_FIT;
  }

  RecordedRun run() {
    return run;
  }

  SimDevice device() {
    return device;
  }

  /**
   * Called before each operation, so that the replay can be watched and cancelled.
   *
   * @return whether the operation is needed
   */
  boolean reaches(int operation) {
    if (operation % PROGRESS_STEP == 0) {
      progress.reached(operation);
    }
    return !(stopsAtFailure && failures > 0);
  }

  void finished() {
    progress.reached(run.operations());
  }

  /**
   * Allocates. A request that failed when it was recorded and is served now keeps its block until
   * the replay ends: how long the program would have kept it is not known.
   */
  void allocate(Allocator allocator, int operation) {
    long handle = Allocator.NO_BLOCK;
    try {
      handle = allocator.allocate(run.bytes(operation), run.stream(operation));
    } catch (OutOfDeviceMemoryException _) {
      failures++;
      lastFailure = run.event(operation);
      if (firstFailure == Outcome.NO_FAILURE) {
        firstFailure = lastFailure;
      }
    }
    int slot = run.slot(operation);
    if (slot >= 0) {
      handles[slot] = handle;
    }
  }

  /** This block serves the request of an operation. */
  void holds(int operation, long handle) {
    handles[run.slot(operation)] = handle;
  }

  long handle(int operation) {
    return handles[run.slot(operation)];
  }

  void free(Allocator allocator, int operation) {
    int slot = run.slot(operation);
    allocator.free(handles[slot]);
    handles[slot] = Allocator.NO_BLOCK;
  }

  Outcome outcome(
      long peakReservedBytes,
      long peakAllocatedBytes,
      long driverAllocations,
      long driverFrees,
      long retries) {
    return new Outcome(
        failures == 0,
        event(firstFailure),
        event(lastFailure),
        failures,
        peakReservedBytes,
        peakAllocatedBytes,
        driverAllocations,
        driverFrees,
        retries);
  }

  private static OptionalInt event(int event) {
    return event == Outcome.NO_FAILURE ? OptionalInt.empty() : OptionalInt.of(event);
  }
}
