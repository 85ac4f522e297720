package dev.vramscope.web;

import dev.vramscope.analysis.diff.DeviceMoment;
import dev.vramscope.analysis.diff.DiffRows.Held;
import dev.vramscope.store.StoredSnapshot;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison.
 *
 * @param letter A for the first, B for the second
 */
record ComparedDevice(
    String letter,
    StoredSnapshot stored,
    LoadedSnapshot loaded,
    LoadedDevice device,
    CompareMoment moment) {
  public SnapshotLinks links() {
    return new SnapshotLinks(
        stored.id(),
        loaded.parts().size() > 1 ? OptionalInt.of(device.ordinal()) : OptionalInt.empty());
  }

  /** The row of the sites page. */
  public String site(Held held) {
    return links().site(held.stack(), held.isBeforeRecording(), moment.sitesOrder(device));
  }

  /** The site of a stack, or null without a stack. */
  public LoadedSnapshot.@Nullable FrameView frame(Held held) {
    return loaded.site(held.stack());
  }

  /** Whether older events are lost, so that the peak may lie before those that are recorded. */
  public boolean isPeakUncertain() {
    return device.missingData().isPeakUncertain();
  }

  DeviceMoment analyzed() {
    return device.moment(moment.event());
  }
}
