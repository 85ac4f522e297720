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

  /** More than any device or recording has; sums with it do not overflow. */
  private static final long UNLIMITED_BYTES = 1L << 50;

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

  /** The bytes of the simulated device. */
  long simulatedBytes() {
    return Math.max(1, totalBytes.orElse(UNLIMITED_BYTES));
  }
}
