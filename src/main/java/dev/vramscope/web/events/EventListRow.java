package dev.vramscope.web.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceEvent;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.snapshot.EventView;
import dev.vramscope.web.snapshot.FrameView;
import org.jspecify.annotations.Nullable;

/**
 * One row of the event list. Unknown members are omitted. {@link EventView} has more, at a cost
 * that is too high for every row of a list.
 *
 * @param event number of the event, from 0
 * @param action the name in a snapshot file
 * @param text what happens, with the size
 * @param bytes size of the block, the segment, the pages or the request
 * @param address of the block, the segment or the pages
 * @param timeMicros microseconds since the first event
 * @param stack the stack for {@code /stacks}
 * @param activeBytes active bytes after the event, in requested sizes
 * @param reservedBytes reserved bytes after the event
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record EventListRow(
    int event,
    String action,
    String text,
    long bytes,
    @Nullable String address,
    long stream,
    @Nullable String pool,
    @Nullable Long timeMicros,
    @Nullable Integer stack,
    @Nullable FrameView site,
    long activeBytes,
    @Nullable Long reservedBytes) {

  private static final int MAX_TEXT = 200;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  static EventListRow of(DeviceInspection device, int number) {
    Trace trace = device.device().trace();
    TraceEvent event = trace.event(number);
    long first = trace.timeMicros(0);
    boolean isTimed = first != Trace.NO_TIME && event.timeMicros() != Trace.NO_TIME;
    long reserved = device.active().reservedAt(number);
    PoolId pool = event.pool();
    return new EventListRow(
        number,
        EventView.action(trace, event),
        EventView.text(trace, event),
        event.bytes(),
        EventView.address(event),
        event.stream(),
        pool == null ? null : pool.toString(),
        isTimed ? event.timeMicros() - first : null,
        event.stack() == 0 ? null : event.stack(),
        elided(FrameView.ofSite(device.stacks(), event.stack())),
        device.active().at(number),
        reserved == ActiveBytes.UNKNOWN ? null : reserved);
  }

  private static @Nullable FrameView elided(@Nullable FrameView site) {
    return site == null
        ? null
        : new FrameView(
            FORMAT.elided(site.name(), MAX_TEXT),
            FORMAT.elided(site.file(), MAX_TEXT),
            site.line(),
            site.kind());
  }
}
