package dev.vramscope.web;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Memory by call stack; a script draws the graph. It reads {@code path}, the frame that is zoomed
 * to, and {@code text}, which it marks, from the URL.
 */
@Controller
class FlamePage {
  private final SnapshotFrame frame;

  FlamePage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}/flame")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String text,
      @ModelAttribute("query") FlameQuery query,
      Model model) {
    LoadedDevice shown = frame.show(id, device, Tab.FLAME, model);
    FlameQuery.Measure measure = query.what();
    query.shown();
    model.addAttribute("measure", measure);
    model.addAttribute(
        "measures",
        Arrays.stream(FlameQuery.Measure.values())
            .filter(each -> shown.hasEvents() || !each.needsTrace())
            .toList());
    model.addAttribute("moment", moment(query, shown));
    model.addAttribute("text", text);
    return "flame";
  }

  /** The moment as a choice of the form: peak, end, or the number of an event. */
  private static String moment(FlameQuery query, LoadedDevice device) {
    query.event(device);
    return query.at() == null ? device.hasEvents() ? "peak" : "end" : query.at();
  }
}
