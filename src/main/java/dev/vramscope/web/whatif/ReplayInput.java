package dev.vramscope.web.whatif;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.postmortem.AllocatorLimit;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.whatif.DeviceSize;
import java.util.Optional;
import java.util.OptionalLong;

/** What a replay needs of a recording: its requests, and the size of the device. */
public final class ReplayInput {
  private ReplayInput() {}

  /** Rejects a device without a trace, which cannot be replayed. */
  public static void requireTrace(DeviceInspection device) {
    if (!device.hasEvents()) {
      throw RefusedRequestException.notReplayable(
          "Device " + device.ordinal() + " of the snapshot has no trace",
          "device " + device.ordinal(),
          "A replay needs the recorded requests. Call torch.cuda.memory._record_memory_history()"
              + " before the first allocation, then take the snapshot again.");
    }
  }

  /**
   * The device of a replay.
   *
   * @param totalBytes if not given, the memory limit that refused a request, or else what attached
   *     texts measured, or else the least that the recording proves; unlimited if nothing failed
   * @param othersBytes used outside the allocator; if neither it nor the total is given, what is
   *     missing from the attached size at the failure
   */
  public static DeviceSize size(
      DeviceInspection device, OptionalLong totalBytes, OptionalLong othersBytes) {
    long others = othersBytes.orElse(0);
    if (totalBytes.isPresent()) {
      return new DeviceSize(totalBytes, others);
    }
    Optional<AllocatorLimit> limit = limit(device);
    if (limit.isPresent() && limit.get().bytes() >= others) {
      return DeviceSize.of(limit.get().bytes(), others);
    }
    OptionalLong attached = device.evidence().combined().measuredBytes();
    long available = device.leastTotal().bytes();
    if (attached.isPresent()
        && attached.getAsLong() >= available
        && attached.getAsLong() >= others) {
      boolean isFailed = !device.ooms().isEmpty();
      return DeviceSize.of(
          attached.getAsLong(),
          othersBytes.orElse(isFailed ? attached.getAsLong() - available : 0));
    }
    if (device.ooms().isEmpty()) {
      return new DeviceSize(OptionalLong.empty(), others);
    }
    if (others > available) {
      throw RefusedRequestException.badParameter(
          "others", others + " bytes", "at most the memory of the device, " + available + " bytes");
    }
    return DeviceSize.of(available, others);
  }

  /** Where the size comes from if the user has not entered one, to stand after it. */
  static String source(DeviceInspection device) {
    Optional<AllocatorLimit> limit = limit(device);
    if (limit.isPresent()) {
      return limit.get().isKnown()
          ? "the memory limit that the attached text says"
          : "as much as the allocator held under its memory limit, which may be higher";
    }
    return device.evidence().combined().measuredBytes().isPresent()
        ? "the size that the attached text says"
        : "the least that the recording proves";
  }

  /** The memory limit that refused a request, if replays know it only as the size of the device. */
  private static Optional<AllocatorLimit> limit(DeviceInspection device) {
    return device.failures().limit(device.evidence().combined());
  }
}
