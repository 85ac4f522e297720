package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A snapshot with the histories of its devices, so that what one reader computes from a trace
 * another need not compute again. Thread-safe.
 */
public final class SnapshotHistory {
  private final Snapshot snapshot;
  private final Map<Integer, RecordedHistory> byOrdinal;

  private SnapshotHistory(Snapshot snapshot) {
    this.snapshot = snapshot;
    byOrdinal =
        Stream.concat(snapshot.devices().stream(), snapshot.pinnedHost().stream())
            .collect(
                Collectors.toMap(
                    DeviceSnapshot::ordinal,
                    device -> RecordedHistory.of(snapshot.stacks(), device)));
  }

  /** Nothing is computed before it is asked for. */
  public static SnapshotHistory of(Snapshot snapshot) {
    return new SnapshotHistory(snapshot);
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  /**
   * The history of a device of this snapshot, or of its pinned host memory.
   *
   * @throws NullPointerException if the snapshot has no such device
   */
  public RecordedHistory of(DeviceSnapshot device) {
    return Objects.requireNonNull(byOrdinal.get(device.ordinal()));
  }
}
