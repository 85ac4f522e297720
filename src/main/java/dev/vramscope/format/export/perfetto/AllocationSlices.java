package dev.vramscope.format.export.perfetto;

import dev.vramscope.format.export.DeviceTimeline.Allocation;
import dev.vramscope.format.export.perfetto.Packets.EventType;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Allocations as slices, each from its allocation to its end. */
final class AllocationSlices {
  private record Slice(Allocation allocation, int lane) {}

  private final List<Slice> byStart;
  private final List<Slice> byEnd;
  private final int laneCount;
  private int nextStart;
  private int nextEnd;

  AllocationSlices(List<Allocation> allocations) {
    Lanes lanes = new Lanes();
    byStart =
        allocations.stream()
            .sorted(Comparator.comparingInt(Allocation::from))
            .map(each -> new Slice(each, lanes.assign(each.from(), each.to())))
            .toList();
    byEnd =
        byStart.stream().sorted(Comparator.comparingInt(slice -> slice.allocation.to())).toList();
    laneCount = lanes.count();
  }

  int laneCount() {
    return laneCount;
  }

  /**
   * Writes the ends and then the beginnings at an event. Events must come in order. A slice that
   * never ends has no end in the file.
   */
  void write(Packets packets, long firstLane, int event, long nanos) throws IOException {
    while (nextEnd < byEnd.size() && byEnd.get(nextEnd).allocation.to() <= event) {
      packets.sliceEnd(firstLane + byEnd.get(nextEnd++).lane, nanos);
    }
    while (nextStart < byStart.size() && byStart.get(nextStart).allocation.from() <= event) {
      Slice slice = byStart.get(nextStart++);
      Allocation allocation = slice.allocation;
      Map<String, @Nullable Object> details = new LinkedHashMap<>();
      details.put("bytes", allocation.bytes());
      details.put("address", DeviceTracks.hex(allocation.address()));
      details.put("stack", allocation.stack() == 0 ? null : allocation.stack());
      details.put("event", allocation.from() < 0 ? null : allocation.from());
      String name = allocation.site().isEmpty() ? "no stack" : allocation.site();
      packets.event(EventType.SLICE_BEGIN, firstLane + slice.lane, nanos, name, details);
    }
  }
}
