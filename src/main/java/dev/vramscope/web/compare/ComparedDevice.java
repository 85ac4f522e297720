package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.DeviceMoment;
import dev.vramscope.analysis.diff.DiffRows.Held;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.snapshot.FrameView;
import dev.vramscope.web.snapshot.SnapshotLinks;
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
    SnapshotInspection loaded,
    DeviceInspection device,
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
  public @Nullable FrameView frame(Held held) {
    return FrameView.ofSite(loaded.stacks(), held.stack());
  }

  /** Whether older events are lost, so that the peak may lie before those that are recorded. */
  public boolean isPeakUncertain() {
    return device.missingData().isPeakUncertain();
  }

  DeviceMoment analyzed() {
    return device.moments().compared(moment.event());
  }
}
