package dev.vramscope.web.events;

import dev.vramscope.analysis.timeline.EventList;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.request.Unchanging;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EventQuery;
import dev.vramscope.web.snapshot.EventView;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The events of a trace. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/events")
@Tag(name = "Analyses")
class EventsApi {
  private static final int MAX_ROWS = 500;

  private final SnapshotCache snapshots;
  private final EventLists lists;

  EventsApi(SnapshotCache snapshots, EventLists lists) {
    this.snapshots = snapshots;
    this.lists = lists;
  }

  @Unchanging
  @GetMapping
  @Operation(
      summary = "The events of a trace, filtered",
      description =
          "The rows from 'offset' among the selected events, oldest first; with 'around', the rows"
              + " around that event instead. timeMicros counts from the first event.")
  EventListView events(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int offset,
      @RequestParam(defaultValue = "100") int limit,
      @RequestParam @Nullable Integer around,
      @ParameterObject EventQuery query) {
    Slice.requireOffset(offset);
    if (limit < 1 || limit > MAX_ROWS) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + MAX_ROWS);
    }
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshots.get(id), device);
    EventList selected = lists.of(query, inspection);
    return EventListView.of(inspection, selected, offset, limit, around);
  }

  @Unchanging
  @GetMapping("/{event}")
  @Operation(
      summary = "One event: what happens, where, and the line of code",
      description = "Events are numbered from 0, the oldest, for each device.")
  EventView event(
      @PathVariable String id, @PathVariable int event, @RequestParam @Nullable Integer device) {
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshots.get(id), device);
    int count = inspection.device().trace().size();
    if (event < 0 || event >= count) {
      throw RefusedRequestException.notFound(
          "There is no event " + event + " on device " + inspection.ordinal(),
          "/events/" + event,
          count == 0 ? "This device has none." : "Events are 0 to " + (count - 1) + ".");
    }
    return EventView.of(inspection, event);
  }
}
