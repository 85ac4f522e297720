package dev.vramscope.web;

import dev.vramscope.model.OomEvent;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The two pages that a script draws: memory over time, and memory by address. */
@Controller
class PicturePages {
  private final SnapshotPage page;

  PicturePages(SnapshotPage page) {
    this.page = page;
  }

  @GetMapping("/snapshots/{id}/timeline")
  String timeline(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable Integer from,
      @RequestParam @Nullable Integer to,
      Model model) {
    OpenDevice shown = page.enter(id, device, Tab.TIMELINE, model);
    model.addAttribute("view", from == null || to == null ? "" : from + "," + to);
    model.addAttribute(
        "oomEvents",
        shown.ooms().stream()
            .map(OomEvent::event)
            .map(String::valueOf)
            .collect(Collectors.joining(",")));
    return "timeline";
  }

  @GetMapping("/snapshots/{id}/segments")
  String segments(@PathVariable String id, @RequestParam @Nullable Integer device, Model model) {
    page.enter(id, device, Tab.SEGMENTS, model);
    return "segments";
  }
}
