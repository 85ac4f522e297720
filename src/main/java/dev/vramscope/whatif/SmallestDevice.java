package dev.vramscope.whatif;

import java.util.OptionalLong;

/**
 * The smallest device on which a run fits, found by bisection. A size below it was tried and
 * failed; on rare runs a still smaller size fits again, because the cache was emptied at a luckier
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
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept the settings
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  public static SmallestDevice of(
      RecordedRun run, Variant variant, long othersBytes, Progress progress) {
    // Any device below fails: it does not even hold the live blocks.
    long fails = (othersBytes + run.peakLive().bytes() - 1) / STEP_BYTES * STEP_BYTES;
    int replays = 1;
    long unlimitedPeak =
        Replay.run(run, variant, DeviceSize.UNLIMITED, progress).peakReservedBytes();
    // Enough for a caching allocator that never has to empty its cache; BFC's depends on the size.
    boolean isOfSize = variant instanceof Variant.Bfc;
    long fits = Math.max(isOfSize ? 0 : roundUp(othersBytes + unlimitedPeak), fails + STEP_BYTES);
    while (++replays > 0
        && !Replay.fits(run, variant, DeviceSize.of(fits, othersBytes), progress)) {
      fails = fits;
      fits *= 2;
      if (fits > DeviceSize.MOST_BYTES) {
        return new SmallestDevice(OptionalLong.empty(), replays);
      }
    }
    while (fits - fails > STEP_BYTES) {
      long middle = roundUp(fails + (fits - fails) / 2);
      middle = Math.min(middle, fits - STEP_BYTES);
      replays++;
      if (Replay.fits(run, variant, DeviceSize.of(middle, othersBytes), progress)) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return new SmallestDevice(OptionalLong.of(fits), replays);
  }

  private static long roundUp(long bytes) {
    return (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
  }
}
