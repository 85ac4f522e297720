package dev.vramscope.web;

import dev.vramscope.model.OomEvent;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** Active memory over time; a script draws the chart. */
@Controller
class TimelinePage {
  private final SnapshotFrame frame;

  TimelinePage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}/timeline")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable Integer from,
      @RequestParam @Nullable Integer to,
      Model model) {
    LoadedDevice shown = frame.show(id, device, Tab.TIMELINE, model);
    model.addAttribute("view", from == null || to == null ? "" : from + "," + to);
    model.addAttribute(
        "oomEvents",
        shown.ooms().stream()
            .map(OomEvent::event)
            .map(String::valueOf)
            .collect(Collectors.joining(",")));
    return "timeline";
  }
}
