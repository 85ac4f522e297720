package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import java.util.OptionalLong;

/**
 * The smallest device on which a run fits, found by bisection. A size below it was tried and
 * failed; on rare runs a still smaller size fits again, because the cache was emptied at another
 * moment.
 *
 * @param totalBytes a multiple of 2 MiB; empty if the run fits on no device
 * @param replays how many it took
 */
public record SmallestDevice(OptionalLong totalBytes, int replays) {
  /** The driver's granularity. */
  private static final long STEP_BYTES = 2L << 20;

  /**
   * Finds the size.
   *
   * @param othersBytes used outside the allocator, included in the size
   * @throws ConfigurationException if PyTorch does not accept the settings
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  public static SmallestDevice of(
      RecordedRun run, Variant variant, long othersBytes, Progress progress) {
    return new Bisection(run, variant, othersBytes, progress).find();
  }

  /**
   * The size without memory used outside the allocator.
   *
   * @return empty, too, if PyTorch does not accept the settings or the replays take too long
   */
  public static OptionalLong bytesOf(RecordedRun run, Variant variant, Progress progress) {
    try {
      return of(run, variant, 0, progress).totalBytes();
    } catch (ConfigurationException | ReplayLimitException unanswered) {
      return OptionalLong.empty();
    }
  }

  private static long roundUp(long bytes) {
    return (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
  }

  /** One search; counts its replays. */
  private static final class Bisection {
    private final RecordedRun run;
    private final Variant variant;
    private final long othersBytes;
    private final Progress progress;
    private int replays;

    Bisection(RecordedRun run, Variant variant, long othersBytes, Progress progress) {
      this.run = run;
      this.variant = variant;
      this.othersBytes = othersBytes;
      this.progress = progress;
    }

    SmallestDevice find() {
      // A device of this size fails: it does not even hold the live blocks.
      long fails = (othersBytes + run.peakLive().bytes() - 1) / STEP_BYTES * STEP_BYTES;
      long fits = Math.max(firstGuess(), fails + STEP_BYTES);
      while (!fits(fits)) {
        fails = fits;
        fits *= 2;
        if (fits > DeviceSize.MOST_BYTES) {
          return new SmallestDevice(OptionalLong.empty(), replays);
        }
      }
      while (fits - fails > STEP_BYTES) {
        long middle = Math.min(roundUp(fails + (fits - fails) / 2), fits - STEP_BYTES);
        if (fits(middle)) {
          fits = middle;
        } else {
          fails = middle;
        }
      }
      return new SmallestDevice(OptionalLong.of(fits), replays);
    }

    /** Enough for an allocator that never has to empty its cache; BFC adapts to the device. */
    private long firstGuess() {
      if (variant instanceof Variant.Bfc) {
        return 0;
      }
      replays++;
      Outcome unlimited = Replay.run(run, variant, DeviceSize.UNLIMITED, progress);
      return roundUp(othersBytes + unlimited.peakReservedBytes());
    }

    private boolean fits(long totalBytes) {
      replays++;
      return Replay.fits(run, variant, DeviceSize.of(totalBytes, othersBytes), progress);
    }
  }
}
