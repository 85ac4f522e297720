package dev.vramscope.web.flame;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.request.KeptParameters;
import dev.vramscope.web.snapshot.Selection;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.Tab;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Memory by call stack; a script draws the graph. It reads {@code path}, the frame that is zoomed
 * to, and {@code text}, which it marks, from the URL. Without {@code at}, the moment is the event
 * under the cursor of the other pages.
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
      @RequestParam @Nullable String event,
      @RequestParam @Nullable String text,
      @ModelAttribute("asked") FlameQuery asked,
      BindingResult unread,
      HttpServletRequest request,
      Model model) {
    DeviceInspection inspection = frame.show(id, device, Tab.FLAME, model);
    List<String> notes = new ArrayList<>();
    for (FieldError error : unread.getFieldErrors()) {
      notes.add(error.getField() + " cannot be " + error.getRejectedValue() + ".");
    }
    FlameQuery query = asked.corrected(inspection, notes::add);
    model.addAttribute("query", query);
    model.addAttribute("kept", KeptParameters.of(request, "sel", "range"));
    model.addAttribute("measure", query.what());
    model.addAttribute(
        "measures",
        Arrays.stream(FlameQuery.Measure.values())
            .filter(each -> inspection.hasEvents() || !each.needsTrace())
            .toList());
    model.addAttribute("frameChoices", query.frameChoices());
    int eventCount = inspection.device().trace().size();
    String owner = inspection.device().label();
    Selection cursor = Selection.ofNumber(event, eventCount, "event", owner);
    notes.addAll(Selection.notes(cursor));
    model.addAttribute("notes", notes);
    model.addAttribute("moment", moment(query, cursor.value(), inspection));
    model.addAttribute("text", text);
    model.addAttribute("formats", FlameFormat.values());
    return "flame";
  }

  /** The moment as a choice of the form: peak, end, or the number of an event. */
  private static String moment(FlameQuery query, @Nullable Long cursor, DeviceInspection device) {
    if (query.at() != null) {
      return query.at();
    }
    return cursor != null ? cursor.toString() : device.hasEvents() ? "peak" : "end";
  }
}
