package dev.vramscope.postmortem;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import dev.vramscope.whatif.DeviceSize;
import java.util.Optional;

/**
 * A memory limit that refused a request of PyTorch's caching allocator and that the recorded
 * settings do not contain: {@code torch.cuda.set_per_process_memory_fraction}. A replay knows it
 * only as the size of a device that the allocator has for itself.
 *
 * @param bytes that the allocator may hold; if not known, as much as it held at some time
 * @param isKnown whether a text says it
 */
public record AllocatorLimit(long bytes, boolean isKnown) {
  private static final String SETTING = "per_process_memory_fraction";

  /**
   * The limit of a failure; empty if none refused the request, or if its replays set it.
   *
   * @param configuration of the snapshot
   * @param peakReservedBytes the most that the allocator held in the recording
   */
  public static Optional<AllocatorLimit> of(
      OomReport report, DeviceSnapshot device, String configuration, long peakReservedBytes) {
    if (report.verdict().cause() != Cause.LIMIT
        || device.facts().family() != AllocatorFamily.CACHING
        || configuration.contains(SETTING)) {
      return Optional.empty();
    }
    if (report.limitBytes().isPresent()) {
      return Optional.of(new AllocatorLimit(report.limitBytes().getAsLong(), /* isKnown= */ true));
    }
    long reserved = report.ledger().reservedBytes();
    long refused = reserved + report.request().segmentBytes();
    // A program may have had a higher limit before or later.
    long held = peakReservedBytes < refused ? peakReservedBytes : reserved;
    return Optional.of(new AllocatorLimit(held, /* isKnown= */ false));
  }

  /** The device that the limit leaves to the allocator. */
  public DeviceSize size() {
    return DeviceSize.of(bytes, 0);
  }
}
