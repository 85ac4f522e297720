package dev.vramscope.web.timeline;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.snapshot.EventView;
import dev.vramscope.web.snapshot.Selection;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.Tab;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Segments and their blocks over time, by address; a script draws the chart. The parameters are
 * those of {@link TimelinePage}.
 */
@Controller
class SegmentTimelinePage {
  private static final int SHOWN = 500;

  private final SnapshotFrame frame;

  SegmentTimelinePage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}/segment-timeline")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String event,
      @RequestParam @Nullable String sel,
      @RequestParam(defaultValue = "0") int offset,
      Model model) {
    DeviceInspection inspection = frame.show(id, device, Tab.SEGMENT_TIMELINE, model);
    String owner = inspection.device().label();
    Selection cursor =
        Selection.ofNumber(event, inspection.device().trace().size(), "event", owner);
    Selection allocation =
        Selection.ofNumber(sel, inspection.lifetimes().size(), "allocation", owner);
    Long number = cursor.value();
    if (number != null) {
      model.addAttribute("event", EventView.of(inspection, number.intValue()));
    }
    model.addAttribute("allocation", allocation.value());
    model.addAttribute("notes", Selection.notes(cursor, allocation));
    model.addAttribute("slice", Slice.of(inspection.segmentHistory().held(), offset, SHOWN));
    return "segment-timeline";
  }
}
