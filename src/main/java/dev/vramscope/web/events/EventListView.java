package dev.vramscope.web.events;

import dev.vramscope.analysis.timeline.EventList;
import dev.vramscope.inspection.DeviceInspection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A part of the events that a query selects, in JSON and on the page of events.
 *
 * @param eventCount events of the device
 * @param matchCount events that the query selects
 * @param offset index of the first row among the selected events
 * @param around the index of the first selected event at or after the event that was asked for;
 *     {@code matchCount} if there is none, null if none was asked for
 */
record EventListView(
    int device,
    int eventCount,
    int matchCount,
    int offset,
    @Nullable Integer around,
    List<EventListRow> rows) {

  static EventListView of(
      DeviceInspection device,
      EventList selected,
      int offset,
      int limit,
      @Nullable Integer around) {
    Integer aroundIndex = around == null ? null : selected.indexOf(around);
    int from =
        aroundIndex == null
            ? Math.min(offset, selected.size())
            : Math.clamp(aroundIndex - (long) limit / 2, 0, Math.max(0, selected.size() - limit));
    int to = from + Math.min(limit, selected.size() - from);
    return new EventListView(
        device.ordinal(),
        device.device().trace().size(),
        selected.size(),
        from,
        aroundIndex,
        IntStream.range(from, to)
            .mapToObj(index -> EventListRow.of(device, selected.event(index)))
            .toList());
  }

  /** The offset of the rows before these, or null. */
  public @Nullable Integer previous() {
    return offset == 0 ? null : Math.max(0, offset - rows.size());
  }

  /** The offset of the rows after these, or null. */
  public @Nullable Integer next() {
    return offset + rows.size() < matchCount ? offset + rows.size() : null;
  }
}
