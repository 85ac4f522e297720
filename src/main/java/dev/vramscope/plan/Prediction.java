package dev.vramscope.plan;

import dev.vramscope.model.Frame;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Variant;
import org.jspecify.annotations.Nullable;

/**
 * What a program needs at some values under some settings.
 *
 * @param size the device that it was tried on
 * @param needed the run on a device without a limit
 * @param outcome on the device, up to the first request that fails
 * @param failing where it fails
 * @param leastBytes requested at the peak, which any allocator needs
 */
public record Prediction(
    ParameterValues values,
    Variant.Caching variant,
    DeviceSize size,
    Outcome needed,
    Outcome outcome,
    Place failing,
    long leastBytes) {
  /**
   * The request that fails first.
   *
   * @param frame the line of code; null if nothing fails or no line was recorded
   * @param isBefore whether the request has no recorded stack, so that the line is the last one
   *     before it
   * @param bytes that are asked for
   */
  public record Place(@Nullable Frame frame, boolean isBefore, long bytes) {
    static final Place NONE = new Place(null, /* isBefore= */ false, 0);
  }

  /**
   * Whether the program needs more than {@link #neededBytes}: it needs more than any device has, so
   * that its replay ended early.
   */
  public boolean isLowerBound() {
    return !needed.fits();
  }

  /** The reserved bytes that it needs, or needs at least. */
  public long neededBytes() {
    return isLowerBound()
        ? Math.max(leastBytes, needed.peakReservedBytes())
        : needed.peakReservedBytes();
  }

  /** The bytes that are allocated at the peak, or at least. */
  public long allocatedBytes() {
    return isLowerBound()
        ? Math.max(leastBytes, needed.peakAllocatedBytes())
        : needed.peakAllocatedBytes();
  }

  public boolean fits() {
    return outcome.fits();
  }
}
