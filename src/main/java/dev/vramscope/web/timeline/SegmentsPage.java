package dev.vramscope.web.timeline;

import dev.vramscope.analysis.segments.PoolBins;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.request.Slice;
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
 * Segments and blocks by address; a script draws the map. {@code sel} is the selected address, or
 * the row of the selected allocation.
 */
@Controller
class SegmentsPage {
  private static final int SHOWN = 500;

  private final SnapshotFrame frame;

  SegmentsPage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}/segments")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String sel,
      @RequestParam(defaultValue = "0") int offset,
      Model model) {
    DeviceInspection inspection = frame.show(id, device, Tab.SEGMENTS, model);
    Selection block = Selection.ofBlock(sel, inspection);
    model.addAttribute("block", block.address());
    model.addAttribute("note", block.note());
    model.addAttribute("slice", Slice.of(inspection.device().segments(), offset, SHOWN));
    if (inspection.family().isBfc()) {
      model.addAttribute("bins", PoolBins.of(inspection.device()));
    }
    return "segments";
  }
}
