package dev.vramscope.format.export;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of all devices of a snapshot and of its pinned host memory, by device and then
 * in the order of the trace.
 */
final class EventRows {
  /** Takes one event. */
  interface Sink {
    void accept(EventRow row) throws IOException;
  }

  private EventRows() {}

  /**
   * Reads the events.
   *
   * @param stride 1 for all events; otherwise every stride-th one of each device
   */
  static void forEach(Snapshot snapshot, int stride, Sink sink) throws IOException {
    for (DeviceSnapshot device : snapshot.parts()) {
      forEach(device, 0, device.trace().size(), stride, sink);
    }
  }

  /** Reads the events from one up to another, which is not read, counted over all devices. */
  static void forEach(Snapshot snapshot, long from, long to, Sink sink) throws IOException {
    long before = 0;
    for (DeviceSnapshot device : snapshot.parts()) {
      long size = device.trace().size();
      forEach(
          device,
          Math.clamp(from - before, 0, size),
          Math.clamp(to - before, 0, size),
          /* stride= */ 1,
          sink);
      before += size;
    }
  }

  private static void forEach(DeviceSnapshot device, long from, long to, int stride, Sink sink)
      throws IOException {
    Trace trace = device.trace();
    TextCursor userMetadata = new TextCursor(trace.userMetadata());
    TextCursor compileContexts = new TextCursor(trace.compileContexts());
    int nextOom = 0;
    for (long next = from; next < to; next += stride) {
      int event = (int) next;
      OomEvent oom = null;
      while (nextOom < trace.ooms().size() && trace.ooms().get(nextOom).event() < event) {
        nextOom++;
      }
      if (nextOom < trace.ooms().size() && trace.ooms().get(nextOom).event() == event) {
        oom = trace.ooms().get(nextOom++);
      }
      sink.accept(row(device, event, oom, userMetadata.at(event), compileContexts.at(event)));
    }
  }

  private static EventRow row(
      DeviceSnapshot device,
      int event,
      @Nullable OomEvent oom,
      @Nullable String userMetadata,
      @Nullable String compileContext) {
    Trace trace = device.trace();
    return new EventRow(
        device.ordinal(),
        event,
        EventRow.actionName(trace, event),
        oom == null ? trace.address(event) : 0,
        oom == null ? trace.bytes(event) : oom.requestedBytes(),
        trace.stream(event),
        trace.pool(event),
        trace.timeMicros(event),
        trace.stack(event),
        oom == null ? OomEvent.UNKNOWN : oom.deviceFreeBytes(),
        userMetadata,
        compileContext);
  }
}
