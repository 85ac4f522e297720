package dev.vramscope.web;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Active memory over time; a script draws the chart. {@code event} is the event under the cursor,
 * {@code sel} the selected allocation. The script reads the visible range from the URL.
 */
@Controller
class TimelinePage {
  private static final int MAX_FAILURES = 20;

  private final SnapshotFrame frame;
  private final SnapshotCache snapshots;

  TimelinePage(SnapshotFrame frame, SnapshotCache snapshots) {
    this.frame = frame;
    this.snapshots = snapshots;
  }

  @GetMapping("/snapshots/{id}/timeline")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String event,
      @RequestParam @Nullable String sel,
      Model model) {
    LoadedDevice shown = frame.show(id, device, Tab.TIMELINE, model);
    int eventCount = shown.device().trace().size();
    String owner = "Device " + shown.ordinal();
    Selection cursor = Selection.ofNumber(event, eventCount, "event", owner);
    Selection allocation = Selection.ofNumber(sel, shown.lifetimes().size(), "allocation", owner);
    Long number = cursor.value();
    if (number != null) {
      model.addAttribute("event", EventView.of(snapshots.get(id), shown, number.intValue()));
    }
    model.addAttribute("allocation", allocation.value());
    model.addAttribute("notes", notes(cursor, allocation));
    model.addAttribute("failures", Slice.of(shown.ooms(), 0, MAX_FAILURES));
    return "timeline";
  }

  private static List<String> notes(Selection... selections) {
    List<String> notes = new ArrayList<>();
    for (Selection selection : selections) {
      if (selection.note() != null) {
        notes.add(selection.note());
      }
    }
    return notes;
  }
}
