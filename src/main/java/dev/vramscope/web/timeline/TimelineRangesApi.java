package dev.vramscope.web.timeline;

import dev.vramscope.analysis.lifetimes.EventTimes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.steps.StepTable;
import dev.vramscope.analysis.timeline.AnnotationRanges;
import dev.vramscope.analysis.timeline.RangeLane;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.display.Columns;
import dev.vramscope.web.request.Unchanging;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The steps and annotations above a chart over events, as binary columns. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/timeline/ranges")
@Tag(name = "Charts")
class TimelineRangesApi {
  private static final int MAX_NAMES = 1_000;
  private static final int MAX_NAME_CHARACTERS = 100;

  private final SnapshotCache snapshots;
  private final JsonMapper json;

  TimelineRangesApi(SnapshotCache snapshots, JsonMapper json) {
    this.snapshots = snapshots;
    this.json = json;
  }

  @Unchanging
  @GetMapping(produces = Columns.MEDIA_TYPE)
  @Operation(
      summary = "Steps and annotations as ranges over a window of events",
      description =
          "A range has the events 'first' (inclusive) to 'end' (exclusive). Ranges of one lane do"
              + " not overlap. Ranges thinner than one of 'width' pixels are combined: count is"
              + " their number. name is an index into names, -1 for combined ranges and, after the"
              + " first 1,000 different names, for any. hasSteps: lane 0 contains the steps, found"
              + " as source says; the other lanes contain the ranges between annotated starts and"
              + " ends, outer ones first. annotationCount counts these, emptyCount those without an"
              + " event, hiddenCount those that are nested too deep to be in a lane. times:"
              + " ascending, goes-back or not-recorded; without ascending times the place of an"
              + " annotation is not known, and none is shown.")
  byte[] ranges(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int from,
      @RequestParam @Nullable Integer to,
      @RequestParam(defaultValue = "1200") int width) {
    ChartParameters.requirePixels("width", width);
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshots.get(id), device);
    EventWindow window = ChartParameters.window(inspection, from, to);
    StepTable steps = inspection.steps();
    AnnotationRanges annotations = inspection.annotationRanges();
    EventTimes times = inspection.times();
    List<RangeLane> lanes = new ArrayList<>();
    if (!steps.steps().isEmpty()) {
      lanes.add(inspection.stepLane());
    }
    lanes.addAll(annotations.lanes());
    List<Shown> shownRanges = new ArrayList<>();
    Map<String, Integer> names = new HashMap<>();
    List<String> listed = new ArrayList<>();
    for (int lane = 0; lane < lanes.size(); lane++) {
      int number = lane;
      RangeLane ranges = lanes.get(lane);
      ranges.show(
          window,
          width,
          range ->
              shownRanges.add(
                  new Shown(
                      number,
                      range.events(),
                      range.count(),
                      range.count() > 1
                          ? -1
                          : nameIndex(ranges.name(range.first()), names, listed))));
    }
    return new Columns()
        .member("from", window.from())
        .member("to", window.to())
        .member("laneCount", lanes.size())
        .member("hasSteps", !steps.steps().isEmpty())
        .member("source", steps.source().name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .member("times", times.order().name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .member("recordedAnnotations", inspection.device().annotations().size())
        .member("annotationCount", annotations.count())
        .member("emptyCount", annotations.emptyCount())
        .member("hiddenCount", annotations.hiddenCount())
        .member("names", listed)
        .u8("lane", shownRanges.size(), i -> shownRanges.get(i).lane())
        .i32("first", shownRanges.size(), i -> shownRanges.get(i).events().from())
        .i32("end", shownRanges.size(), i -> shownRanges.get(i).events().to())
        .i32("count", shownRanges.size(), i -> shownRanges.get(i).count())
        .i32("name", shownRanges.size(), i -> shownRanges.get(i).name())
        .bytes(json);
  }

  private record Shown(int lane, EventWindow events, int count, int name) {}

  private static int nameIndex(String name, Map<String, Integer> names, List<String> listed) {
    Integer index = names.get(name);
    if (index != null) {
      return index;
    }
    if (listed.size() == MAX_NAMES) {
      return -1;
    }
    names.put(name, listed.size());
    listed.add(
        name.length() <= MAX_NAME_CHARACTERS
            ? name
            : name.substring(0, name.offsetByCodePoints(0, cut(name))) + "…");
    return listed.size() - 1;
  }

  /** Code points that are at most as many characters as a name may have. */
  private static int cut(String name) {
    return name.codePointCount(0, MAX_NAME_CHARACTERS) - 1;
  }
}
