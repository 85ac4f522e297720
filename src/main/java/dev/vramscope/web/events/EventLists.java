package dev.vramscope.web.events;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.vramscope.analysis.timeline.EventList;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.EventQuery;
import org.springframework.stereotype.Component;

/**
 * The filtered events of each device. The lists of the latest queries are kept, since a reader who
 * scrolls sends the same query many times.
 */
@Component
final class EventLists {
  /** Each takes at most four bytes of heap for each event. */
  private static final int KEPT = 2;

  private final LoadingCache<DeviceInspection, Cache<EventQuery, EventList>> latest =
      Caffeine.newBuilder()
          .weakKeys()
          .build(_ -> Caffeine.newBuilder().maximumSize(KEPT).executor(Runnable::run).build());

  /**
   * The events that a query selects.
   *
   * @throws RefusedRequestException if a parameter of the query is not allowed
   */
  EventList of(EventQuery query, DeviceInspection device) {
    return latest
        .get(device)
        .get(
            query,
            each -> EventList.of(device.device().trace(), each.filter(device, device.stacks())));
  }
}
