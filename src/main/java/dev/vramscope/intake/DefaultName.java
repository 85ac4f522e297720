package dev.vramscope.intake;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.listing.Tags;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The name of a snapshot that was uploaded without a file name: its job, rank and step; without
 * them, its time and devices.
 */
final class DefaultName {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final int MAX_DEVICES = 4;

  private DefaultName() {}

  /**
   * @param now used if the snapshot does not contain the time at which it was taken
   */
  static String of(Tags tags, Snapshot snapshot, Instant now) {
    List<String> parts = new ArrayList<>();
    if (tags.job() != null) {
      parts.add(tags.job());
    }
    if (tags.rank() != null) {
      parts.add("rank " + tags.rank());
    }
    if (tags.step() != null) {
      parts.add("step " + tags.step());
    }
    if (!parts.isEmpty()) {
      return String.join(" ", parts);
    }
    long captured = snapshot.origin().captureMicros();
    Instant captureTime = captured > 0 ? Instant.ofEpochSecond(captured / 1_000_000) : now;
    return TIME.format(captureTime) + ", " + what(snapshot);
  }

  private static String what(Snapshot snapshot) {
    boolean isSnapshot = !snapshot.origin().isLog() && !snapshot.origin().isCompiled();
    return isSnapshot ? devices(snapshot.devices()) : snapshot.origin().format();
  }

  private static String devices(List<DeviceSnapshot> devices) {
    if (devices.size() > MAX_DEVICES) {
      return devices.size() + " devices";
    }
    String ordinals =
        String.join(
            ", ", devices.stream().map(device -> String.valueOf(device.ordinal())).toList());
    return (devices.size() == 1 ? "device " : "devices ") + ordinals;
  }
}
