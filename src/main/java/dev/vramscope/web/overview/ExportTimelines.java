package dev.vramscope.web.overview;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.format.export.DeviceTimeline;
import dev.vramscope.format.export.DeviceTimeline.Allocation;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.web.snapshot.FrameView;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The analyses of a device as the tracks of a trace viewer. */
final class ExportTimelines {
  /** A viewer remains fast, and smaller allocations are too thin to be seen. */
  static final int MAX_ALLOCATIONS = 2_000;

  private ExportTimelines() {}

  static DeviceTimeline of(SnapshotInspection loaded, DeviceInspection device) {
    Lifetimes lifetimes = device.lifetimes();
    return new DeviceTimeline(
        device.device(),
        event -> device.active().at(event),
        event -> device.active().reservedAt(event),
        largest(lifetimes).stream().map(row -> allocation(loaded, lifetimes, row)).toList(),
        lifetimes.size());
  }

  /** The rows of the largest allocations; of equal ones, the first. */
  private static List<Integer> largest(Lifetimes lifetimes) {
    Comparator<Integer> bySize =
        Comparator.<Integer>comparingLong(lifetimes::bytes)
            .thenComparing(Comparator.reverseOrder());
    PriorityQueue<Integer> smallestFirst = new PriorityQueue<>(bySize);
    for (int row = 0; row < lifetimes.size(); row++) {
      if (smallestFirst.size() < MAX_ALLOCATIONS) {
        smallestFirst.add(row);
      } else if (lifetimes.bytes(row) > lifetimes.bytes(smallestFirst.element())) {
        smallestFirst.remove();
        smallestFirst.add(row);
      }
    }
    return smallestFirst.stream().sorted(bySize.reversed()).toList();
  }

  private static Allocation allocation(SnapshotInspection loaded, Lifetimes lifetimes, int row) {
    FrameView site = FrameView.ofSite(loaded.stacks(), lifetimes.stack(row));
    return new Allocation(
        site == null ? "" : site.name() + " " + site.file() + ":" + site.line(),
        lifetimes.address(row),
        lifetimes.bytes(row),
        lifetimes.stack(row),
        lifetimes.allocationEvent(row),
        lifetimes.endEvent(row));
  }
}
