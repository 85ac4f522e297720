package dev.vramscope.web.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.TraceEvent;
import dev.vramscope.web.display.DisplayFormat;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One event of a trace in JSON and on the timeline page. Unknown members are omitted.
 *
 * @param action the name in a snapshot file
 * @param text what happens, with the size: {@code Allocation of 2 MiB}
 * @param address of the block, the segment or the pages
 * @param segment address of the segment that contains {@code address} at the end of the recording
 * @param allocation the allocation that is allocated or freed, a row of {@code /allocations}
 * @param failure for a failed request: its number for {@code /oom}
 * @param stack the stack for {@code /stacks}
 * @param isAllocationSite whether the page of sites has a row of this site
 * @param activeBytes active bytes after the event, in requested sizes
 * @param reservedBytes reserved bytes after the event
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EventView(
    int event,
    String action,
    String text,
    long bytes,
    @Nullable String address,
    @Nullable String segment,
    long stream,
    @Nullable String pool,
    @Nullable Long timeMicros,
    @Nullable Integer allocation,
    @Nullable Integer failure,
    @Nullable Integer stack,
    @Nullable FrameView site,
    boolean isAllocationSite,
    long activeBytes,
    @Nullable Long reservedBytes) {

  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final int MAX_ACTION = 200;

  public static EventView of(DeviceInspection device, int number) {
    Trace trace = device.device().trace();
    TraceEvent event = trace.event(number);
    OptionalInt allocation = device.lifetimes().allocationOf(number);
    long reserved = device.active().reservedAt(number);
    PoolId pool = event.pool();
    String address = address(event);
    return new EventView(
        number,
        action(trace, event),
        text(trace, event),
        event.bytes(),
        address,
        address == null ? null : finalSegment(device, event.address()),
        event.stream(),
        pool == null ? null : pool.toString(),
        event.timeMicros() == Trace.NO_TIME ? null : event.timeMicros(),
        allocation.isPresent() ? allocation.getAsInt() : null,
        failure(device, number),
        event.stack() == 0 ? null : event.stack(),
        FrameView.ofSite(device.stacks(), event.stack()),
        device.hasSite(event.stack()),
        device.active().at(number),
        reserved == ActiveBytes.UNKNOWN ? null : reserved);
  }

  /** The address of the segment of the final state that contains an address, or null. */
  public static @Nullable String finalSegment(DeviceInspection device, long address) {
    return device
        .device()
        .segmentAt(address)
        .map(segment -> new DisplayFormat().hex(segment.address()))
        .orElse(null);
  }

  private static @Nullable Integer failure(DeviceInspection device, int event) {
    for (int i = 0; i < device.ooms().size(); i++) {
      if (device.ooms().get(i).event() == event) {
        return i;
      }
    }
    return null;
  }

  public static String action(Trace trace, TraceEvent event) {
    String other = trace.otherActions().of(event.index());
    return event.action() == TraceAction.OTHER && other != null
        ? FORMAT.elided(other, MAX_ACTION)
        : event.action().torchName();
  }

  public static @Nullable String address(TraceEvent event) {
    return switch (event.action()) {
      case ALLOC,
          FREE_REQUESTED,
          FREE_COMPLETED,
          SEGMENT_ALLOC,
          SEGMENT_FREE,
          SEGMENT_MAP,
          SEGMENT_UNMAP,
          ANNOTATE ->
          FORMAT.hex(event.address());
      case SNAPSHOT, OOM, USER_DEFINED, OTHER -> null;
    };
  }

  public static String text(Trace trace, TraceEvent event) {
    String size = FORMAT.bytes(event.bytes());
    return switch (event.action()) {
      case ALLOC -> "Allocation of " + size;
      case FREE_REQUESTED -> "Free of " + size + " requested";
      case FREE_COMPLETED -> "Free of " + size + " completed";
      case SEGMENT_ALLOC -> "Segment of " + size + " acquired from the device";
      case SEGMENT_FREE -> "Segment of " + size + " released to the device";
      case SEGMENT_MAP -> size + " mapped into an expandable segment";
      case SEGMENT_UNMAP -> size + " unmapped from an expandable segment";
      case SNAPSHOT -> "Snapshot taken";
      case OOM -> "Out of memory: a request of " + size + " failed";
      case USER_DEFINED -> "User-defined event";
      case ANNOTATE -> "Block of " + size + " annotated";
      case OTHER -> "Event of kind " + action(trace, event);
    };
  }
}
