package dev.vramscope.format.export.perfetto;

import dev.vramscope.format.export.perfetto.Packets.EventType;
import dev.vramscope.model.Annotation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The program's annotations as slices: a start, and the next end of the same name that is not the
 * end of a later start. A start without an end is a slice that never ends; an end without a start,
 * and an annotation without a time, are left out and counted.
 */
final class AnnotationSlices {
  private static final long NEVER = Long.MAX_VALUE;

  private record Slice(String name, long from, long to, int lane) {}

  private final List<Slice> slices;
  private final int laneCount;
  private final int leftOut;

  private AnnotationSlices(List<Slice> slices, int laneCount, int leftOut) {
    this.slices = slices;
    this.laneCount = laneCount;
    this.leftOut = leftOut;
  }

  static AnnotationSlices of(List<Annotation> annotations) {
    Map<String, Deque<Integer>> open = new HashMap<>();
    List<Slice> withoutLanes = new ArrayList<>();
    int leftOut = 0;
    for (Annotation each : annotations) {
      Deque<Integer> starts = open.computeIfAbsent(each.name(), _ -> new ArrayDeque<>());
      if (!EventClock.isKnown(each.timeMicros())) {
        leftOut++;
      } else if (each.stage() == Annotation.Stage.START) {
        starts.push(withoutLanes.size());
        withoutLanes.add(new Slice(each.name(), EventClock.nanos(each.timeMicros()), NEVER, 0));
      } else if (starts.isEmpty()) {
        leftOut++;
      } else {
        int index = starts.pop();
        Slice start = withoutLanes.get(index);
        long end = Math.max(start.from, EventClock.nanos(each.timeMicros()));
        withoutLanes.set(index, new Slice(start.name, start.from, end, 0));
      }
    }
    Lanes lanes = new Lanes();
    List<Slice> slices =
        withoutLanes.stream()
            .sorted(Comparator.comparingLong(Slice::from))
            .map(each -> new Slice(each.name, each.from, each.to, lanes.assign(each.from, each.to)))
            .toList();
    return new AnnotationSlices(slices, lanes.count(), leftOut);
  }

  int laneCount() {
    return laneCount;
  }

  int leftOut() {
    return leftOut;
  }

  /** Writes each slice, in the order of their beginnings; a viewer sorts the packets by time. */
  void write(Packets packets, long firstLane) throws IOException {
    for (Slice slice : slices) {
      packets.event(
          EventType.SLICE_BEGIN, firstLane + slice.lane, slice.from, slice.name, Map.of());
      if (slice.to != NEVER) {
        packets.sliceEnd(firstLane + slice.lane, slice.to);
      }
    }
  }
}
