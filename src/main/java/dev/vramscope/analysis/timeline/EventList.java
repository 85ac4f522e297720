package dev.vramscope.analysis.timeline;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.model.IntColumn;
import dev.vramscope.model.Trace;
import org.jspecify.annotations.Nullable;

/**
 * The events of a trace that a filter selects, oldest first, each at its index. Takes four bytes of
 * heap for each selected event, and none if all are.
 */
public final class EventList {
  private final int eventCount;
  private final @Nullable IntColumn selected;

  private EventList(int eventCount, @Nullable IntColumn selected) {
    this.eventCount = eventCount;
    this.selected = selected;
  }

  /** Scans the trace once, unless the filter selects every event. */
  public static EventList of(Trace trace, EventFilter filter) {
    if (filter.selectsAll()) {
      return new EventList(trace.size(), null);
    }
    IntColumn.Builder selected = new IntColumn.Builder();
    EventWindow whole = new EventWindow(0, trace.size());
    EventWindow window = filter.window() == null ? whole : filter.window().within(trace.size());
    for (int event = window.from(); event < window.to(); event++) {
      if (filter.selects(trace, event)) {
        selected.add(event);
      }
    }
    return new EventList(trace.size(), selected.build());
  }

  /** Number of selected events. */
  public int size() {
    return selected == null ? eventCount : selected.size();
  }

  /** The event at an index from 0 to {@link #size}, exclusive. */
  public int event(int index) {
    return selected == null ? index : selected.get(index);
  }

  /** The index of the first selected event at or after an event; {@link #size} if there is none. */
  public int indexOf(int event) {
    if (selected == null) {
      return Math.clamp(event, 0, eventCount);
    }
    int low = 0;
    int high = selected.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (selected.get(middle) < event) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
