package dev.vramscope.web.timeline;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.request.KeptParameters;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.snapshot.EventView;
import dev.vramscope.web.snapshot.RangeSelection;
import dev.vramscope.web.snapshot.Selection;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.Tab;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Active memory over time; a script draws the chart. {@code event} is the event under the cursor,
 * {@code sel} the selected allocation, {@code range} the events whose sites are listed. The script
 * reads the visible range from the URL.
 */
@Controller
class TimelinePage {
  private static final int MAX_FAILURES = 20;
  private static final int MAX_SITES = 100;

  /** What the range and the order of its table do not change. */
  private static final String[] KEPT = {
    "device", "from", "to", "event", "sel", "range", "scale", "colour", "x", "text", "by"
  };

  private final SnapshotFrame frame;

  TimelinePage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}/timeline")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String event,
      @RequestParam @Nullable String sel,
      @RequestParam @Nullable String range,
      @RequestParam(defaultValue = "allocated") String by,
      HttpServletRequest request,
      Model model) {
    if ((event != null || sel != null) && isOnlyListed(id, device)) {
      return "redirect:"
          + UriComponentsBuilder.fromPath("/snapshots/{id}" + Tab.EVENTS.path())
              .queryParamIfPresent("device", Optional.ofNullable(device))
              .queryParamIfPresent("event", Optional.ofNullable(event).map(_ -> "{event}"))
              .queryParamIfPresent("sel", Optional.ofNullable(sel).map(_ -> "{sel}"))
              .encode()
              .buildAndExpand(
                  Map.of("id", id, "event", String.valueOf(event), "sel", String.valueOf(sel)))
              .toUriString();
    }
    DeviceInspection inspection = frame.show(id, device, Tab.TIMELINE, model);
    int eventCount = inspection.device().trace().size();
    String owner = inspection.device().label();
    Selection cursor = Selection.ofNumber(event, eventCount, "event", owner);
    Selection allocation =
        Selection.ofNumber(sel, inspection.lifetimes().size(), "allocation", owner);
    Long number = cursor.value();
    if (number != null) {
      model.addAttribute("event", EventView.of(inspection, number.intValue()));
    }
    model.addAttribute("allocation", allocation.value());
    RangeSelection selection = RangeSelection.of(range, inspection);
    EventWindow window = selection.window();
    if (window != null) {
      model.addAttribute(
          "range",
          RangeTable.of(inspection, inspection.stacks(), window.from(), window.to(), by, MAX_SITES)
              .withoutZeros());
      model.addAttribute("orders", RangeOrder.values());
    }
    model.addAttribute("notes", notes(cursor.note(), allocation.note(), selection.note()));
    model.addAttribute("kept", KeptParameters.of(request, KEPT));
    model.addAttribute("failures", Slice.of(inspection.ooms(), 0, MAX_FAILURES));
    return "timeline";
  }

  /** Whether there is no timeline, only a list of events: of a dump, which has one moment. */
  private boolean isOnlyListed(String id, @Nullable Integer device) {
    return !frame.has(id, device, Tab.TIMELINE) && frame.has(id, device, Tab.EVENTS);
  }

  private static List<String> notes(@Nullable String... candidates) {
    List<String> notes = new ArrayList<>();
    for (String note : candidates) {
      if (note != null) {
        notes.add(note);
      }
    }
    return notes;
  }
}
