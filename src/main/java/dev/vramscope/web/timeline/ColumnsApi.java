package dev.vramscope.web.timeline;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.segments.PrivatePools;
import dev.vramscope.analysis.timeline.ActiveTimeline;
import dev.vramscope.analysis.timeline.AllocationGroups;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.web.display.Columns;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Unchanging;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Chart data as binary columns; {@link Columns} documents the layout. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}")
@Tag(name = "Charts")
class ColumnsApi {
  private static final int MAX_OOMS = 1_000;

  private final SnapshotCache snapshots;
  private final JsonMapper json;

  ColumnsApi(SnapshotCache snapshots, JsonMapper json) {
    this.snapshots = snapshots;
    this.json = json;
  }

  @Unchanging
  @GetMapping(path = "/timeline", produces = Columns.MEDIA_TYPE)
  @Operation(
      summary = "Active memory over a window of events, as pixel columns and rectangles",
      description =
          "The window contains the events from 'from' (inclusive) to 'to' (exclusive), by default"
              + " the whole trace. A column is sampled at the event of its range with the most"
              + " active bytes, so that no peak is missed. rest is the sum of the allocations that"
              + " are too thin to draw. allocationCount is the number of allocations in the window"
              + " at any width: drawnCount of them have rectangles, summarizedCount are in rest,"
              + " and the others are active only between sampled events. peakEvent is null if the"
              + " peak is before the first event, or there are no events. With colour (category,"
              + " stream, pool, age, size; by default site) group is the index of each rectangle's"
              + " group in groups, 255 in none of them; isOrdered: the groups are classes of a"
              + " quantity. With x=time columns are of equal time, from fromMicros to toMicros"
              + " after the first event: start is the first event of each column or, if it has"
              + " none, of the next one that has, and the column shows the state before. If times"
              + " (ascending, goes-back, not-recorded) are not ascending, x=time is the same as"
              + " x=event. If there are private pools, poolReserved and poolActive are the reserved"
              + " and the active (requested) bytes of each, one pool after the other.")
  byte[] timeline(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int from,
      @RequestParam @Nullable Integer to,
      @RequestParam(defaultValue = "1200") int width,
      @RequestParam(defaultValue = "600") int height,
      @RequestParam(defaultValue = TimelineColour.SITE) String colour,
      @RequestParam(defaultValue = "event") String x) {
    ChartParameters.requirePixels("width", width);
    ChartParameters.requirePixels("height", height);
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshots.get(id), device);
    EventWindow window = ChartParameters.window(inspection, from, to);
    if (!x.equals("event") && !x.equals("time")) {
      throw RefusedRequestException.badParameter("x", x, "event or time");
    }
    ActiveTimeline timeline =
        x.equals("time") && inspection.times().isAscending()
            ? ActiveTimeline.byTime(
                inspection.lifetimes(),
                inspection.active(),
                inspection.times(),
                window,
                width,
                height)
            : ActiveTimeline.of(inspection.lifetimes(), inspection.active(), window, width, height);
    Columns columns = columns(inspection, timeline);
    if (!colour.equals(TimelineColour.SITE)) {
      addGroups(
          columns,
          inspection.groups(TimelineColour.of(colour)),
          timeline.rectangleCount(),
          timeline::allocation);
    }
    return columns.bytes(json);
  }

  /** Adds the groups that colours show of some rows of {@link Lifetimes}, or -1. */
  private static void addGroups(
      Columns columns, AllocationGroups groups, int count, IntUnaryOperator allocation) {
    columns
        .member("groups", groups.names())
        .member("isOrdered", groups.isOrdered())
        .u8(
            "group",
            count,
            i -> {
              int row = allocation.applyAsInt(i);
              return row < 0 ? AllocationGroups.OTHER : groups.groupOf(row);
            });
  }

  private static Columns columns(DeviceInspection device, ActiveTimeline timeline) {
    Trace trace = device.device().trace();
    ActiveBytes active = device.active();
    int peakEvent = active.peakEvent();
    long first = trace.isEmpty() ? Trace.NO_TIME : trace.timeMicros(0);
    long last = trace.isEmpty() ? Trace.NO_TIME : trace.timeMicros(trace.size() - 1);
    Columns columns =
        new Columns()
            .member("device", device.ordinal())
            .member("eventCount", trace.size())
            .member("from", timeline.window().from())
            .member("to", timeline.window().to())
            .member("width", timeline.width())
            .member("peakBytes", active.peakBytes())
            .member("peakEvent", peakEvent == Lifetimes.BEFORE_RECORDING ? null : peakEvent)
            .member("windowPeakBytes", timeline.windowPeakBytes())
            .member("firstTimeMicros", first == Trace.NO_TIME ? null : first)
            .member("lastTimeMicros", last == Trace.NO_TIME ? null : last)
            .member("ooms", device.ooms().stream().limit(MAX_OOMS).map(ColumnsApi::oom).toList())
            .member("oomCount", device.ooms().size())
            .member("allocationCount", timeline.allocationCount())
            .member("drawnCount", timeline.drawnCount())
            .member("summarizedCount", timeline.summarizedCount())
            .member("leastBytes", timeline.leastBytes())
            .member("reservedKnown", active.isReservedKnown());
    columns.member(
        "times", device.times().order().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    int width = timeline.width();
    List<PrivatePools.Pool> pools = device.privatePools().pools();
    if (!pools.isEmpty()) {
      columns
          .member("privatePools", pools.stream().map(PrivatePools.Pool::name).toList())
          .f64(
              "poolReserved",
              width * pools.size(),
              i -> pools.get(i / width).reservedAt(timeline.event(i % width)))
          .f64(
              "poolActive",
              width * pools.size(),
              i -> pools.get(i / width).activeAt(timeline.event(i % width)));
    }
    if (timeline.isByTime()) {
      columns
          .member("fromMicros", timeline.fromMicros() - first)
          .member("toMicros", timeline.toMicros() - first)
          .i32("start", width + 1, timeline::start);
    }
    columns
        .i32("event", width, timeline::event)
        .f64("activeMax", width, timeline::activeMax)
        .f64("activeMin", width, timeline::activeMin)
        .f64(
            "reserved", width, column -> bytesOrNan(timeline.reserved(column), ActiveBytes.UNKNOWN))
        .f64("micros", width, column -> micros(trace, timeline.event(column), first))
        .f64("rest", width, timeline::rest)
        .f64("liveBefore", width, timeline::liveBefore);
    int count = timeline.rectangleCount();
    return columns
        .i32("column0", count, timeline::column0)
        .i32("column1", count, timeline::column1)
        .f64("bottom", count, timeline::bottom)
        .f64("bytes", count, timeline::bytes)
        .i32("allocation", count, timeline::allocation)
        .i32("stack", count, rectangle -> stack(device, timeline.allocation(rectangle)));
  }

  /** The stack of an allocation, -1 when none was recorded. */
  private static int stack(DeviceInspection device, int allocation) {
    int stack = device.lifetimes().stack(allocation);
    return stack == 0 ? -1 : stack;
  }

  private static Map<String, @Nullable Object> oom(OomEvent oom) {
    Map<String, @Nullable Object> facts = new LinkedHashMap<>();
    facts.put("event", oom.event());
    facts.put("requestedBytes", oom.requestedBytes());
    facts.put(
        "deviceFreeBytes",
        oom.deviceFreeBytes() == OomEvent.UNKNOWN ? null : oom.deviceFreeBytes());
    return facts;
  }

  private static double micros(Trace trace, int event, long first) {
    if (event < 0 || first == Trace.NO_TIME || trace.timeMicros(event) == Trace.NO_TIME) {
      return Double.NaN;
    }
    return trace.timeMicros(event) - first;
  }

  @Unchanging
  @GetMapping(path = "/segments", produces = Columns.MEDIA_TYPE)
  @Operation(
      summary = "Segments and their blocks, in address order",
      description =
          "allocator: caching, bfc, direct or unrecorded. kind: 0 small, 1 large. state: 0"
              + " allocated, 1 pending free, 2 inactive. Blocks of segment i are firstBlock[i] to"
              + " firstBlock[i+1]. allocation: the row of /allocations, -1 for an inactive block."
              + " With 'event', the state after that event, reconstructed from the state at the"
              + " end: estimatedBlockCount blocks may be larger than shown, by ambiguousBytes in"
              + " all, and notes say what contradicts the events. colour adds group, groups and"
              + " isOrdered as in the timeline; the group of an inactive block is 255.")
  byte[] segments(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable Integer event,
      @RequestParam(defaultValue = TimelineColour.SITE) String colour) {
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshots.get(id), device);
    AllocatorState state =
        event == null
            ? inspection.endState()
            : inspection.moments().state(requiredEvent(event, inspection));
    List<Segment> segments = state.segments();
    List<Block> blocks = new ArrayList<>();
    int[] firstBlock = new int[segments.size() + 1];
    for (int i = 0; i < segments.size(); i++) {
      blocks.addAll(segments.get(i).blocks());
      firstBlock[i + 1] = blocks.size();
    }
    List<Long> streams = segments.stream().map(Segment::stream).distinct().sorted().toList();
    List<PoolId> pools = segments.stream().map(Segment::pool).distinct().toList();
    Map<Long, Integer> streamIndex = indexOf(streams);
    Map<PoolId, Integer> poolIndex = indexOf(pools);
    IntUnaryOperator allocation = allocationsOf(blocks, inspection.lifetimes(), state.event());
    Columns columns =
        new Columns()
            .member("device", inspection.ordinal())
            .member("event", event)
            .member("allocator", inspection.family().id())
            .member("reservedBytes", state.reservedBytes())
            .member("estimatedBlockCount", state.estimatedBlockCount())
            .member("ambiguousBytes", state.ambiguousBytes())
            .member("notes", state.findings().stream().map(Finding::message).toList())
            .member("pools", pools.stream().map(PoolId::toString).toList())
            .member("streams", streams)
            .u64("address", segments.size(), i -> segments.get(i).address())
            .f64("bytes", segments.size(), i -> segments.get(i).bytes())
            .i32(
                "stream",
                segments.size(),
                i -> streamIndex.getOrDefault(segments.get(i).stream(), -1))
            .i32("pool", segments.size(), i -> poolIndex.getOrDefault(segments.get(i).pool(), -1))
            .u8("kind", segments.size(), i -> code(segments.get(i).kind()))
            .u8("expandable", segments.size(), i -> segments.get(i).expandable() ? 1 : 0)
            .i32("firstBlock", firstBlock.length, i -> firstBlock[i])
            .i32("segmentStack", segments.size(), i -> segments.get(i).stack())
            .u64("blockAddress", blocks.size(), i -> blocks.get(i).address())
            .f64("blockBytes", blocks.size(), i -> blocks.get(i).bytes())
            .f64(
                "requested",
                blocks.size(),
                i -> bytesOrNan(blocks.get(i).requestedBytes(), Block.UNKNOWN))
            .u8("state", blocks.size(), i -> code(blocks.get(i).state()))
            .i32("stack", blocks.size(), i -> blocks.get(i).stack())
            .i32("allocation", blocks.size(), allocation);
    if (!colour.equals(TimelineColour.SITE)) {
      addGroups(columns, inspection.groups(TimelineColour.of(colour)), blocks.size(), allocation);
    }
    return columns.bytes(json);
  }

  private static int requiredEvent(int event, DeviceInspection device) {
    int count = device.device().trace().size();
    if (event < 0 || event >= count) {
      throw RefusedRequestException.badParameter(
          "event", event, count == 0 ? "none; the device has no events" : "0 to " + (count - 1));
    }
    return event;
  }

  /** The row in {@link Lifetimes} of each active block; -1 for other blocks. */
  private static IntUnaryOperator allocationsOf(
      List<Block> blocks, Lifetimes lifetimes, int event) {
    Map<Long, Integer> live = new HashMap<>();
    for (int row : lifetimes.activeAt(event)) {
      live.put(lifetimes.address(row), row);
    }
    return i -> blocks.get(i).isActive() ? live.getOrDefault(blocks.get(i).address(), -1) : -1;
  }

  /** Index of each value. A map, since a file may have as many pools and streams as segments. */
  private static <T> Map<T, Integer> indexOf(List<T> values) {
    Map<T, Integer> indices = new HashMap<>();
    for (T value : values) {
      indices.put(value, indices.size());
    }
    return indices;
  }

  /** The value of column kind; {@code frontend/test/fixtures/wire-enums.json} lists them. */
  static int code(PoolKind kind) {
    return switch (kind) {
      case SMALL -> 0;
      case LARGE -> 1;
    };
  }

  /** The value of column state; {@code frontend/test/fixtures/wire-enums.json} lists them. */
  static int code(BlockState state) {
    return switch (state) {
      case ALLOCATED -> 0;
      case PENDING_FREE -> 1;
      case INACTIVE -> 2;
    };
  }

  private static double bytesOrNan(long bytes, long unknown) {
    return bytes == unknown ? Double.NaN : bytes;
  }
}
