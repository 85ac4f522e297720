package dev.vramscope.web;

import dev.vramscope.analysis.EventList;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The filtered events of one device. The lists of the latest queries are kept, since a reader who
 * scrolls sends the same query many times.
 */
final class EventLists {
  /** Each takes at most four bytes of heap for each event. */
  private static final int KEPT = 2;

  private final Trace trace;
  private final StackTable stacks;
  private final Map<EventQuery, EventList> latest = new LinkedHashMap<>(4, 0.75f, true);

  EventLists(Trace trace, StackTable stacks) {
    this.trace = trace;
    this.stacks = stacks;
  }

  /**
   * The events that a query selects.
   *
   * @throws RefusedRequestException if a parameter of the query is not allowed
   */
  EventList of(EventQuery query) {
    synchronized (latest) {
      EventList kept = latest.get(query);
      if (kept != null) {
        return kept;
      }
    }
    EventList found = EventList.of(trace, query.filter(stacks));
    synchronized (latest) {
      latest.put(query, found);
      if (latest.size() > KEPT) {
        latest.remove(latest.keySet().iterator().next());
      }
    }
    return found;
  }
}
