package dev.vramscope.format.export.perfetto;

import dev.vramscope.format.export.DeviceTimeline;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Writes a Perfetto trace of some devices: memory over time, failed requests, segment events,
 * annotations, and the largest allocations.
 */
public final class PerfettoWriter {
  private static final int BUFFER_BYTES = 1 << 16;

  private PerfettoWriter() {}

  /**
   * Writes the file. The stream is flushed but not closed; the first bytes are flushed before the
   * first timeline is asked for, since that may take long.
   *
   * @param timelines the timeline of a device of this list, by its index
   * @throws IOException if writing to the stream fails
   */
  public static void write(
      Snapshot snapshot,
      List<DeviceSnapshot> devices,
      IntFunction<DeviceTimeline> timelines,
      OutputStream out)
      throws IOException {
    BufferedOutputStream buffered = new BufferedOutputStream(out, BUFFER_BYTES);
    Packets packets = new Packets(buffered);
    long earliest = EventClock.earliest(devices);
    if (earliest != Trace.NO_TIME) {
      packets.calendarTime(EventClock.nanos(earliest));
    }
    buffered.flush();
    long start = earliest == Trace.NO_TIME ? 0 : earliest;
    for (int i = 0; i < devices.size(); i++) {
      new DeviceTracks(packets, timelines.apply(i), i + 1, start)
          .write(snapshot.origin().producer());
    }
    buffered.flush();
  }
}
