package dev.vramscope.format.export.perfetto;

import dev.vramscope.format.export.DeviceTimeline;
import dev.vramscope.format.export.perfetto.Packets.EventType;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the tracks of one device. */
final class DeviceTracks {
  /** Numbers of the tracks of a device begin at a multiple of this; lanes have the last ones. */
  private static final long TRACKS = 1L << 24;

  private static final int ACTIVE = 1;
  private static final int RESERVED = 2;
  private static final int FAILED = 3;
  private static final int SEGMENTS = 4;
  private static final int MARKS = 5;
  private static final int ANNOTATIONS = 6;
  private static final int LARGEST = 7;
  private static final long FIRST_LANE = 16;

  private final Packets packets;
  private final DeviceTimeline timeline;
  private final Trace trace;
  private final long root;
  private final EventClock clock;
  private final long start;
  private final AllocationSlices allocations;
  private long lanes = FIRST_LANE;
  private long active;
  private long reserved;

  /**
   * The tracks of a device.
   *
   * @param number of the device in the file, from 1
   * @param startMicros the time of the first event if it has none
   */
  DeviceTracks(Packets packets, DeviceTimeline timeline, int number, long startMicros) {
    this.packets = packets;
    this.timeline = timeline;
    trace = timeline.device().trace();
    root = number * TRACKS;
    clock = new EventClock(trace, startMicros);
    start = clock.start();
    allocations = new AllocationSlices(timeline.largest());
  }

  void write(String producer) throws IOException {
    packets.track(
        root,
        0,
        0,
        timeline.device().isPinnedHost()
            ? "Pinned host memory"
            : "Device " + timeline.device().ordinal(),
        "",
        /* isCounter= */ false);
    track(
        ACTIVE,
        "Active (requested)",
        "Requested bytes of active allocations",
        /* isCounter= */ true);
    boolean isReservedKnown = timeline.reservedBytes().applyAsLong(-1) >= 0;
    if (isReservedKnown) {
      track(RESERVED, "Reserved", "Bytes held from the device", /* isCounter= */ true);
    }
    track(FAILED, "Failed requests", "", /* isCounter= */ false);
    track(SEGMENTS, "Segments", "", /* isCounter= */ false);
    track(MARKS, "Marks", "", /* isCounter= */ false);
    writeEvents(isReservedKnown);
    AnnotationSlices annotations = AnnotationSlices.of(timeline.device().annotations());
    long firstLane = lanes(ANNOTATIONS, "Annotations", "", annotations.laneCount());
    annotations.write(packets, root + firstLane);
    writeSummary(producer, isReservedKnown, annotations.leftOut());
  }

  private void track(int number, String name, String description, boolean isCounter)
      throws IOException {
    packets.track(root + number, root, number, name, description, isCounter);
  }

  /** Describes tracks of one name and returns the number of the first. */
  private long lanes(int rank, String name, String description, int count) throws IOException {
    long first = lanes;
    for (int lane = 0; lane < count; lane++) {
      packets.track(root + lanes++, root, rank, name, description, /* isCounter= */ false);
    }
    return first;
  }

  private void writeEvents(boolean isReservedKnown) throws IOException {
    long firstLane =
        lanes(LARGEST, "Largest allocations", allocationNote(), allocations.laneCount());
    long nanos = start;
    active = timeline.activeBytes().applyAsLong(DeviceTimeline.BEFORE_RECORDING);
    reserved = timeline.reservedBytes().applyAsLong(DeviceTimeline.BEFORE_RECORDING);
    packets.counter(root + ACTIVE, nanos, active);
    if (isReservedKnown) {
      packets.counter(root + RESERVED, nanos, reserved);
    }
    allocations.write(packets, root + firstLane, DeviceTimeline.BEFORE_RECORDING, nanos);
    int nextOom = 0;
    for (int event = 0; event < trace.size(); event++) {
      nanos = clock.at(event);
      writeCounters(event, nanos, isReservedKnown);
      allocations.write(packets, root + firstLane, event, nanos);
      OomEvent oom = null;
      if (nextOom < trace.ooms().size() && trace.ooms().get(nextOom).event() == event) {
        oom = trace.ooms().get(nextOom++);
      }
      writeInstant(event, nanos, oom);
    }
  }

  private void writeCounters(int event, long nanos, boolean isReservedKnown) throws IOException {
    long activeNow = timeline.activeBytes().applyAsLong(event);
    if (activeNow != active) {
      active = activeNow;
      packets.counter(root + ACTIVE, nanos, active);
    }
    if (isReservedKnown) {
      long reservedNow = timeline.reservedBytes().applyAsLong(event);
      if (reservedNow != reserved) {
        reserved = reservedNow;
        packets.counter(root + RESERVED, nanos, reserved);
      }
    }
  }

  private void writeInstant(int event, long nanos, @Nullable OomEvent oom) throws IOException {
    TraceAction action = trace.action(event);
    int track =
        switch (action) {
          case ALLOC, FREE_REQUESTED, FREE_COMPLETED -> 0;
          case SEGMENT_ALLOC, SEGMENT_FREE, SEGMENT_MAP, SEGMENT_UNMAP -> SEGMENTS;
          case OOM -> FAILED;
          case SNAPSHOT, USER_DEFINED, ANNOTATE, OTHER -> MARKS;
        };
    if (track == 0) {
      return;
    }
    Map<String, @Nullable Object> details = new LinkedHashMap<>();
    details.put("event", event);
    details.put("bytes", oom == null ? trace.bytes(event) : oom.requestedBytes());
    boolean hasAddress = oom == null && trace.address(event) != 0;
    details.put("address", hasAddress ? hex(trace.address(event)) : null);
    details.put("stream", trace.stream(event));
    details.put("pool", trace.pool(event));
    if (oom != null && oom.deviceFreeBytes() != OomEvent.UNKNOWN) {
      details.put("device_free_bytes", oom.deviceFreeBytes());
    }
    String otherName = action == TraceAction.OTHER ? trace.otherActions().of(event) : null;
    String name = otherName == null ? action.torchName() : otherName;
    packets.event(EventType.INSTANT, root + track, nanos, name.isEmpty() ? "other" : name, details);
  }

  private String allocationNote() {
    return "The "
        + timeline.largest().size()
        + " largest of "
        + timeline.allocationCount()
        + " allocations; the others are left out";
  }

  /** What the file has and does not have, as an instant at the start of the device's track. */
  private void writeSummary(String producer, boolean isReservedKnown, int annotationsLeftOut)
      throws IOException {
    Map<String, @Nullable Object> details = new LinkedHashMap<>();
    details.put("producer", producer.isEmpty() ? null : producer);
    details.put("events", trace.size());
    details.put("allocations", timeline.allocationCount());
    details.put("allocations_shown", timeline.largest().size());
    details.put("allocations_left_out", timeline.allocationCount() - timeline.largest().size());
    details.put("annotations_left_out", annotationsLeftOut);
    details.put("reserved", isReservedKnown ? null : "unknown: not recorded");
    details.put("events_without_time", clock.withoutTime());
    details.put(
        "time", clock.withoutTime() == 0 ? null : "1 µs for each event without a recorded time");
    packets.event(EventType.INSTANT, root, start, "Recording", details);
  }

  static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
