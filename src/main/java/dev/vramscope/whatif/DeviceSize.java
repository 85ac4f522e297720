package dev.vramscope.whatif;

import java.util.OptionalLong;

/**
 * The memory of a simulated device.
 *
 * @param totalBytes the whole device; unlimited if empty
 * @param othersBytes of it, used outside the allocator
 */
public record DeviceSize(OptionalLong totalBytes, long othersBytes) {
  /** A device on which no request fails. */
  public static final DeviceSize UNLIMITED = new DeviceSize(OptionalLong.empty(), 0);

  /**
   * 1 TiB, more than any device has. An expandable segment reserves more addresses than the device
   * has bytes, and the simulated device has addresses for about 200 segments of this size.
   */
  private static final long LEAST_UNLIMITED_BYTES = 1L << 40;

  /** 16 TiB, all addresses of plain memory. */
  public static final long MOST_BYTES = 1L << 44;

  public DeviceSize {
    if (othersBytes < 0 || totalBytes.orElse(0) < 0) {
      throw new IllegalArgumentException(
          "sizes must not be negative: " + totalBytes + ", " + othersBytes);
    }
  }

  public static DeviceSize of(long totalBytes, long othersBytes) {
    return new DeviceSize(OptionalLong.of(totalBytes), othersBytes);
  }

  public boolean isLimited() {
    return totalBytes.isPresent();
  }

  /** The bytes of the simulated device. One without limit is far larger than the run. */
  long simulatedBytes(RecordedRun run) {
    if (totalBytes.isPresent()) {
      return Math.max(1, totalBytes.getAsLong());
    }
    long needed = run.peakLive().bytes();
    // A request that no device could serve would only fill more pages before it fails.
    return needed > MOST_BYTES / 8
        ? LEAST_UNLIMITED_BYTES
        : Math.max(LEAST_UNLIMITED_BYTES, 8 * needed);
  }
}
