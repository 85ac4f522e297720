package dev.vramscope.analysis.steps;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.EnumMap;
import java.util.Map;

/**
 * The events of a window.
 *
 * @param counts by action, without those that do not occur
 * @param acquiredBytes of segments acquired and ranges mapped
 * @param releasedBytes of segments released and ranges unmapped
 * @param elapsedMicros from the first event to the last one, or {@link Trace#NO_TIME}
 */
public record RangeEvents(
    Map<TraceAction, Integer> counts, long acquiredBytes, long releasedBytes, long elapsedMicros) {
  public RangeEvents {
    counts = Map.copyOf(counts);
  }

  /** Counts the events of a window, which is clipped to the trace. */
  public static RangeEvents of(Trace trace, EventWindow requested) {
    EventWindow window = requested.within(trace.size());
    int[] counts = new int[TraceAction.values().length];
    long acquired = 0;
    long released = 0;
    for (int event = window.from(); event < window.to(); event++) {
      TraceAction action = trace.action(event);
      counts[action.ordinal()]++;
      switch (action) {
        case SEGMENT_ALLOC, SEGMENT_MAP -> acquired += trace.bytes(event);
        case SEGMENT_FREE, SEGMENT_UNMAP -> released += trace.bytes(event);
        default -> {
          // No call of the driver.
        }
      }
    }
    Map<TraceAction, Integer> countByAction = new EnumMap<>(TraceAction.class);
    for (TraceAction action : TraceAction.values()) {
      if (counts[action.ordinal()] > 0) {
        countByAction.put(action, counts[action.ordinal()]);
      }
    }
    return new RangeEvents(countByAction, acquired, released, elapsed(trace, window));
  }

  static long elapsed(Trace trace, EventWindow window) {
    if (window.size() == 0) {
      return Trace.NO_TIME;
    }
    long first = trace.timeMicros(window.from());
    long last = trace.timeMicros(window.to() - 1);
    // Clocks of hosts may be set back; then the length is unknown.
    return first == Trace.NO_TIME || last == Trace.NO_TIME || last < first
        ? Trace.NO_TIME
        : last - first;
  }

  /** Segments acquired or released, and ranges mapped or unmapped. */
  public int driverCalls() {
    return count(TraceAction.SEGMENT_ALLOC)
        + count(TraceAction.SEGMENT_FREE)
        + count(TraceAction.SEGMENT_MAP)
        + count(TraceAction.SEGMENT_UNMAP);
  }

  /** Number of events with an action. */
  public int count(TraceAction action) {
    return counts.getOrDefault(action, 0);
  }
}
