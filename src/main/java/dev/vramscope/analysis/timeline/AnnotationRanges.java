package dev.vramscope.analysis.timeline;

import dev.vramscope.analysis.lifetimes.EventTimes;
import dev.vramscope.model.Annotation;
import dev.vramscope.model.Trace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ranges of events between the starts and ends that a program annotated. A range has the events
 * after its start up to its end; an end belongs to the latest start of the same name that has none.
 * A start without an end reaches to the end of the trace, an end without a start begins with it.
 *
 * <pre>
 *   lane 0   │ forward            │    │ backward      │   the ranges that begin first
 *   lane 1      │ layer │ layer │                          what begins within them
 * </pre>
 *
 * @param lanes ranges that do not overlap, by lane; those that begin first are in the first
 * @param count all ranges with events
 * @param emptyCount ranges without an event
 * @param hiddenCount ranges that are in no lane: they are nested too deep
 */
public record AnnotationRanges(List<RangeLane> lanes, int count, int emptyCount, int hiddenCount) {
  /** The screen has no space for more. */
  public static final int MAX_LANES = 3;

  private record Range(int from, int to, String name) {}

  public AnnotationRanges {
    lanes = List.copyOf(lanes);
  }

  /** Without ranges if {@code times} are not ascending: a time then has no place in the trace. */
  public static AnnotationRanges of(List<Annotation> annotations, EventTimes times) {
    if (annotations.isEmpty() || !times.isAscending()) {
      return new AnnotationRanges(List.of(), 0, 0, 0);
    }
    List<Range> all = paired(annotations, times);
    List<Range> ranges = new ArrayList<>(all.stream().filter(r -> r.from < r.to).toList());
    ranges.sort(
        Comparator.comparingInt(Range::from)
            .thenComparing(Comparator.comparingInt(Range::to).reversed()));
    List<RangeLane.Builder> lanes = new ArrayList<>();
    int hidden = 0;
    for (Range range : ranges) {
      Optional<RangeLane.Builder> free =
          lanes.stream().filter(lane -> lane.end() <= range.from).findFirst();
      if (free.isEmpty() && lanes.size() < MAX_LANES) {
        free = Optional.of(new RangeLane.Builder());
        lanes.add(free.get());
      }
      free.ifPresent(lane -> lane.add(range.from, range.to, range.name));
      hidden += free.isEmpty() ? 1 : 0;
    }
    return new AnnotationRanges(
        lanes.stream().map(RangeLane.Builder::build).toList(),
        ranges.size(),
        all.size() - ranges.size(),
        hidden);
  }

  private static List<Range> paired(List<Annotation> annotations, EventTimes times) {
    List<Range> ranges = new ArrayList<>();
    Map<String, Deque<Integer>> open = new HashMap<>();
    annotations.stream()
        .filter(annotation -> annotation.timeMicros() != Trace.NO_TIME)
        .sorted(Comparator.comparingLong(Annotation::timeMicros))
        .forEachOrdered(
            annotation -> {
              int event = times.firstAfter(annotation.timeMicros());
              Deque<Integer> starts =
                  open.computeIfAbsent(annotation.name(), _ -> new ArrayDeque<>());
              if (annotation.stage() == Annotation.Stage.START) {
                starts.push(event);
              } else {
                ranges.add(
                    new Range(starts.isEmpty() ? 0 : starts.pop(), event, annotation.name()));
              }
            });
    open.forEach(
        (name, starts) ->
            starts.forEach(from -> ranges.add(new Range(from, times.eventCount(), name))));
    return ranges;
  }
}
