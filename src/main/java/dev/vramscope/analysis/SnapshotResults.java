package dev.vramscope.analysis;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.Finding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of all devices of a snapshot, for lists of snapshots.
 *
 * @param peakBytes the sum of the devices' peaks of the active bytes. A device without events in a
 *     file that has events has its active bytes throughout. Null if the file has no run, but one
 *     moment.
 * @param findingCount distinct findings of all devices
 */
public record SnapshotResults(@Nullable Long peakBytes, int findingCount) {
  public static SnapshotResults of(SnapshotHistory history) {
    Snapshot snapshot = history.snapshot();
    boolean hasRun = false;
    long peak = 0;
    List<List<Finding>> findings = new ArrayList<>();
    for (DeviceSnapshot device : snapshot.devices()) {
      Lifetimes lifetimes = history.of(device).lifetimes();
      ActiveBytes active = history.of(device).active();
      hasRun |= device.kind().hasRun();
      peak = Math.max(peak, peak + active.peakBytes()); // A malformed file may exceed 64 bits.
      findings.add(MissingData.of(snapshot, device, lifetimes, active).findings());
    }
    return new SnapshotResults(hasRun ? peak : null, MissingData.distinct(findings).size());
  }
}
