package dev.vramscope.model;

import java.util.OptionalLong;

/**
 * Facts about an allocator and its device that PyTorch's snapshots do not contain. Snapshots of
 * hosted allocators have them.
 *
 * @param family the algorithm; {@link AllocatorFamily#CACHING} if it is not recorded, because that
 *     is the allocator which writes the format
 * @param deviceBytes the memory of the device
 * @param deviceFreeBytes free on the device when the state was captured, at most {@code
 *     deviceBytes}
 * @param limitBytes the most memory that the allocator may hold, if it has a limit
 * @param isSimulated whether the device is known to be simulated
 */
public record AllocatorFacts(
    AllocatorFamily family,
    OptionalLong deviceBytes,
    OptionalLong deviceFreeBytes,
    OptionalLong limitBytes,
    boolean isSimulated) {
  /** A snapshot in PyTorch's format, without these facts. */
  public static final AllocatorFacts NOT_RECORDED =
      new AllocatorFacts(
          AllocatorFamily.CACHING,
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          false);

  public AllocatorFacts {
    if (deviceBytes.orElse(0) < 0 || deviceFreeBytes.orElse(0) < 0 || limitBytes.orElse(0) < 0) {
      throw new IllegalArgumentException("sizes must not be negative");
    }
    if (deviceBytes.isPresent() && deviceFreeBytes.orElse(0) > deviceBytes.getAsLong()) {
      throw new IllegalArgumentException(
          "the device has " + deviceBytes.getAsLong() + " bytes, not " + deviceFreeBytes + " free");
    }
  }

  /** Whether the producer recorded the size of the device. */
  public boolean isRecorded() {
    return deviceBytes.isPresent();
  }
}
