package dev.vramscope.web.whatif;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.postmortem.AllocatorLimit;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.whatif.DeviceSize;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The device of a replay.
 *
 * @param size unlimited if nothing failed and no size is known
 * @param source where the size comes from
 */
public record ReplayDevice(DeviceSize size, Source source) {
  /** Where a size comes from. */
  public enum Source {
    ENTERED("entered"),
    LIMIT("the memory limit that the attached text says"),
    LIMIT_AT_LEAST("as much as the allocator held under its memory limit, which may be higher"),
    POOL("the limit of the pool; what else the device has is not recorded"),
    ATTACHED("the size that the attached text says"),
    RECORDING("the least that the recording proves"),
    UNLIMITED("nothing failed, and no size is known");

    private final String text;

    Source(String text) {
      this.text = text;
    }

    /** To stand after the size. */
    public String text() {
      return text;
    }
  }

  /** Whether a user has entered the size. */
  public boolean isEntered() {
    return source == Source.ENTERED;
  }

  /**
   * What is known of the device.
   *
   * @param totalBytes if not given, the memory limit that refused a request, or else what attached
   *     texts measured, or else the least that the recording proves
   * @param othersBytes used outside the allocator; if neither it nor the total is given, what is
   *     missing from the attached size at the failure
   * @throws RefusedRequestException if others use more than the device has
   */
  public static ReplayDevice of(
      DeviceInspection device, OptionalLong totalBytes, OptionalLong othersBytes) {
    long others = othersBytes.orElse(0);
    if (totalBytes.isPresent()) {
      return new ReplayDevice(new DeviceSize(totalBytes, others), Source.ENTERED);
    }
    Optional<AllocatorLimit> limit = device.failures().limit(device.evidence().combined());
    if (limit.isPresent() && limit.get().bytes() >= others) {
      return new ReplayDevice(
          DeviceSize.of(limit.get().bytes(), others),
          limit.get().isKnown() ? Source.LIMIT : Source.LIMIT_AT_LEAST);
    }
    OptionalLong attached = device.evidence().combined().measuredBytes();
    OptionalLong pool =
        device.replays().isOfPool() ? device.device().facts().limitBytes() : OptionalLong.empty();
    if (attached.isEmpty() && pool.orElse(0) > others) {
      return new ReplayDevice(DeviceSize.of(pool.getAsLong(), others), Source.POOL);
    }
    long available = device.leastTotal().bytes();
    boolean isFailed = !device.ooms().isEmpty();
    if (attached.isPresent()
        && attached.getAsLong() >= available
        && attached.getAsLong() >= others) {
      long outside = othersBytes.orElse(isFailed ? attached.getAsLong() - available : 0);
      return new ReplayDevice(DeviceSize.of(attached.getAsLong(), outside), Source.ATTACHED);
    }
    if (!isFailed) {
      return new ReplayDevice(new DeviceSize(OptionalLong.empty(), others), Source.UNLIMITED);
    }
    if (others > available) {
      throw RefusedRequestException.badParameter(
          "others", others + " bytes", "at most the memory of the device, " + available + " bytes");
    }
    return new ReplayDevice(DeviceSize.of(available, others), Source.RECORDING);
  }
}
