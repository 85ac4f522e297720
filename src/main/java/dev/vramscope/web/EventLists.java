package dev.vramscope.web;

import dev.vramscope.analysis.EventList;
import dev.vramscope.analysis.StackClasses;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The filtered events of one device. The lists of the latest queries are kept, since a reader who
 * scrolls sends the same query many times.
 */
final class EventLists {
  /** Each takes at most four bytes of heap for each event. */
  private static final int KEPT = 2;

  private final Map<EventQuery, EventList> latest = new LinkedHashMap<>(4, 0.75f, true);

  /**
   * The events that a query selects.
   *
   * @throws RefusedRequestException if a parameter of the query is not allowed
   */
  EventList of(EventQuery query, LoadedDevice device, StackClasses stacks) {
    synchronized (latest) {
      EventList kept = latest.get(query);
      if (kept != null) {
        return kept;
      }
    }
    EventList found = EventList.of(device.device().trace(), query.filter(device, stacks));
    synchronized (latest) {
      latest.put(query, found);
      if (latest.size() > KEPT) {
        latest.remove(latest.keySet().iterator().next());
      }
    }
    return found;
  }
}
