package dev.vramscope.web.timeline;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.segments.LaneBlocks;
import dev.vramscope.analysis.segments.LaneRuns;
import dev.vramscope.analysis.segments.SegmentHistory.Held;
import dev.vramscope.analysis.segments.SegmentLanes;
import dev.vramscope.analysis.segments.SegmentLanes.Lane;
import dev.vramscope.analysis.segments.SegmentLanes.Part;
import dev.vramscope.analysis.segments.SegmentTimeline;
import dev.vramscope.analysis.segments.StripRuns;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.PoolId;
import dev.vramscope.web.display.Columns;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Unchanging;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Segments over time as binary columns; {@link Columns} documents the layout. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}")
@Tag(name = "Charts")
class SegmentTimelineApi {
  /** Instead of a stream, pool or size class: the lane has several. */
  private static final int SEVERAL = -1;

  private static final int SEVERAL_KINDS = 2;

  private final SnapshotCache snapshots;
  private final JsonMapper json;

  SegmentTimelineApi(SnapshotCache snapshots, JsonMapper json) {
    this.snapshots = snapshots;
    this.json = json;
  }

  @Unchanging
  @GetMapping(path = "/segment-timeline", produces = Columns.MEDIA_TYPE)
  @Operation(
      summary = "Segments and their blocks over a window of events, by address",
      description =
          "The window contains the events from 'from' (inclusive) to 'to' (exclusive), by default"
              + " the whole trace. A column is sampled at the event of its range with the most"
              + " active bytes, as in /timeline. A lane is a contiguous range of addresses in"
              + " which memory is held at a sampled event, or several neighbours"
              + " (lanePartCount); laneTop and laneHeight are in the pixels of 'height'."
              + " Offsets count the bytes of a lane's parts. held*: a segment, or pages of an"
              + " expandable one; heldFrom is -1 if held before the first event, heldTo -1 if held"
              + " at the end. Blocks are from column0 to column1 (exclusive), and wait for a stream"
              + " from pendingColumn on. A block's size is that of the final state, or else the"
              + " lower bound by the size rules. A lane has laneStrips strips of equal size; what"
              + " is thinner than a pixel is summed by strip: thin* for blocks, thinHeld* for held"
              + " memory, so that drawn and thin add up to the bytes of the strip. run*: reserved"
              + " and active bytes and the largest free gap of a lane, until its next run."
              + " outside: bytes of allocations in no known segment. acquiredCount, releasedCount"
              + " and their bytes count all segment events of a column. -1 as laneStream or"
              + " lanePool and 2 as laneKind mean several.")
  byte[] segmentTimeline(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int from,
      @RequestParam @Nullable Integer to,
      @RequestParam(defaultValue = "1200") int width,
      @RequestParam(defaultValue = "600") int height) {
    ChartParameters.requirePixels("width", width);
    ChartParameters.requirePixels("height", height);
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshots.get(id), device);
    if (!inspection.device().kind().hasSegments()) {
      throw RefusedRequestException.notOf(inspection.device());
    }
    SegmentTimeline picture =
        SegmentTimeline.of(
            inspection.segmentHistory(),
            inspection.lifetimeIndex(),
            inspection.sizes(),
            inspection.active(),
            ChartParameters.window(inspection, from, to),
            width,
            height);
    Columns columns = header(inspection, picture, height);
    addLanes(columns, picture.lanes());
    addRuns(columns, picture.runs());
    addHeld(columns, picture);
    addThin(columns, "thinHeld", picture.thinHeld());
    addThin(columns, "thin", picture.thinBlocks());
    addBlocks(columns, picture, inspection.lifetimes());
    addMarkers(columns, picture);
    return columns.bytes(json);
  }

  private static Columns header(DeviceInspection device, SegmentTimeline picture, int height) {
    LaneBlocks blocks = picture.blocks();
    int drawn = picture.drawnBlocks().length;
    return new Columns()
        .member("device", device.ordinal())
        .member("eventCount", device.device().trace().size())
        .member("from", picture.window().from())
        .member("to", picture.window().to())
        .member("width", picture.width())
        .member("height", height)
        .member("allocationCount", blocks.size())
        .member("drawnCount", drawn)
        .member("thinCount", blocks.size() - drawn)
        .member("outsideCount", blocks.outsideCount())
        .member("unsampledSegmentCount", picture.unsampledHeldCount())
        .member("contradictionCount", device.segmentHistory().contradictionCount());
  }

  private static void addLanes(Columns columns, SegmentLanes all) {
    List<Lane> lanes = all.lanes();
    List<Part> parts = all.parts();
    List<Held> first = lanes.stream().map(lane -> parts.get(lane.firstPart()).first()).toList();
    List<Long> streams = first.stream().map(Held::stream).distinct().sorted().toList();
    List<PoolId> pools = first.stream().map(Held::pool).distinct().toList();
    columns
        .member("streams", streams)
        .member("pools", pools.stream().map(PoolId::toString).toList())
        .u64("laneAddress", lanes.size(), i -> first.get(i).address())
        .f64("laneBytes", lanes.size(), i -> lanes.get(i).bytes())
        .f64("laneTop", lanes.size(), i -> lanes.get(i).top())
        .f64("laneHeight", lanes.size(), i -> lanes.get(i).height())
        .i32("laneStrips", lanes.size(), i -> lanes.get(i).strips())
        .i32("lanePartCount", lanes.size(), i -> partsOf(all, i).size())
        .i32(
            "laneStream",
            lanes.size(),
            i -> hasOneOwner(all, i) ? streams.indexOf(first.get(i).stream()) : SEVERAL)
        .i32(
            "lanePool",
            lanes.size(),
            i -> hasOneOwner(all, i) ? pools.indexOf(first.get(i).pool()) : SEVERAL)
        .u8("laneKind", lanes.size(), i -> kind(all, i))
        .u8("laneExpandable", lanes.size(), i -> first.get(i).expandable() ? 1 : 0)
        .u64("partAddress", parts.size(), i -> parts.get(i).address())
        .f64("partBytes", parts.size(), i -> parts.get(i).bytes())
        .i32("partLane", parts.size(), all::laneOf);
  }

  private static List<Part> partsOf(SegmentLanes lanes, int number) {
    Lane lane = lanes.lanes().get(number);
    return lanes.parts().subList(lane.firstPart(), lane.partLimit());
  }

  private static boolean hasOneOwner(SegmentLanes lanes, int lane) {
    List<Part> parts = partsOf(lanes, lane);
    Held first = parts.getFirst().first();
    return parts.stream()
        .allMatch(
            part ->
                !part.isMixed()
                    && part.first().stream() == first.stream()
                    && part.first().pool().equals(first.pool()));
  }

  private static int kind(SegmentLanes lanes, int lane) {
    List<Part> parts = partsOf(lanes, lane);
    Held first = parts.getFirst().first();
    return parts.stream().allMatch(part -> part.first().kind() == first.kind())
        ? ColumnsApi.code(first.kind())
        : SEVERAL_KINDS;
  }

  private static void addRuns(Columns columns, LaneRuns runs) {
    columns
        .i32("runLane", runs.count(), runs::lane)
        .i32("runColumn", runs.count(), runs::column)
        .f64("runReserved", runs.count(), runs::reserved)
        .f64("runActive", runs.count(), runs::active)
        .f64("runLargestFree", runs.count(), runs::largestFree);
  }

  private static void addHeld(Columns columns, SegmentTimeline picture) {
    int[] drawn = picture.drawnHeld();
    List<Held> held = picture.held();
    columns
        .i32("heldLane", drawn.length, i -> picture.heldLane(drawn[i]))
        .f64("heldOffset", drawn.length, i -> picture.heldOffset(drawn[i]))
        .f64("heldBytes", drawn.length, i -> held.get(drawn[i]).bytes())
        .i32("heldColumn0", drawn.length, i -> picture.heldColumn0(drawn[i]))
        .i32("heldColumn1", drawn.length, i -> picture.heldColumn1(drawn[i]))
        .i32("heldFrom", drawn.length, i -> held.get(drawn[i]).from())
        .i32("heldTo", drawn.length, i -> end(held.get(drawn[i]).to()));
  }

  private static int end(int event) {
    return event == Lifetimes.NEVER ? -1 : event;
  }

  private static void addThin(Columns columns, String prefix, StripRuns runs) {
    columns
        .i32(prefix + "Strip", runs.count(), runs::strip)
        .i32(prefix + "Column0", runs.count(), runs::column0)
        .i32(prefix + "Column1", runs.count(), runs::column1)
        .f64(prefix + "Bytes", runs.count(), runs::bytes);
  }

  private static void addBlocks(Columns columns, SegmentTimeline picture, Lifetimes lifetimes) {
    LaneBlocks blocks = picture.blocks();
    int[] drawn = picture.drawnBlocks();
    columns
        .i32("lane", drawn.length, i -> blocks.lane(drawn[i]))
        .f64("offset", drawn.length, i -> blocks.offset(drawn[i]))
        .f64("bytes", drawn.length, i -> blocks.bytes(drawn[i]))
        .i32("column0", drawn.length, i -> blocks.column0(drawn[i]))
        .i32("column1", drawn.length, i -> blocks.column1(drawn[i]))
        .i32("pendingColumn", drawn.length, i -> blocks.pendingColumn(drawn[i]))
        .i32("allocation", drawn.length, i -> blocks.row(drawn[i]))
        .i32("stack", drawn.length, i -> stack(lifetimes.stack(blocks.row(drawn[i]))));
  }

  private static int stack(int recorded) {
    return recorded == 0 ? -1 : recorded;
  }

  private static void addMarkers(Columns columns, SegmentTimeline picture) {
    int width = picture.width();
    columns
        .i32("event", width, picture::event)
        .f64("outside", width, picture.blocks()::outside)
        .i32("acquiredCount", width, picture.markers()::acquiredCount)
        .f64("acquiredBytes", width, picture.markers()::acquiredBytes)
        .i32("releasedCount", width, picture.markers()::releasedCount)
        .f64("releasedBytes", width, picture.markers()::releasedBytes);
  }
}
