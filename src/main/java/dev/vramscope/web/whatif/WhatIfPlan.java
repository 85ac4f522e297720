package dev.vramscope.web.whatif;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.files.Sha256;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.replays.ReplayKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.OptionalLong;

/**
 * What to replay: the recording of one device of a snapshot, on a device of some size, under each
 * of some settings.
 */
public record WhatIfPlan(String snapshot, int device, DeviceSize size, List<WhatIfSettings> rows) {
  private static final int ID_DIGITS = 16;

  public WhatIfPlan {
    rows = List.copyOf(rows);
  }

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

  /** The whole settings string of the recording; empty if it has none. */
  public static String recordedSettings(Snapshot snapshot) {
    return snapshot.configuration();
  }

  /**
   * The device of a replay.
   *
   * @param totalBytes if not given, what attached texts measured, or else the least that the
   *     recording proves; unlimited if nothing failed
   * @param othersBytes used outside the allocator; if neither it nor the total is given, what is
   *     missing from the attached size at the failure
   */
  public static DeviceSize size(
      DeviceInspection device, OptionalLong totalBytes, OptionalLong othersBytes) {
    long others = othersBytes.orElse(0);
    if (totalBytes.isPresent()) {
      return new DeviceSize(totalBytes, others);
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

  /** The allocators and settings of the rows. */
  List<Variant> variants() {
    return rows.stream().map(WhatIfSettings::variant).toList();
  }

  /** The same plan has the same id. */
  String id() {
    MessageDigest digest = Sha256.newDigest();
    for (WhatIfSettings row : rows) {
      digest.update((row.name() + "\n" + key(row) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return Sha256.hex(digest).substring(0, ID_DIGITS);
  }

  private String key(WhatIfSettings row) {
    return new ReplayKey(device, size, row.variant()).text();
  }
}
