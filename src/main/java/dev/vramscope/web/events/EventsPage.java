package dev.vramscope.web.events;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.request.KeptParameters;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.snapshot.EventQuery;
import dev.vramscope.web.snapshot.Selection;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.Tab;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * All events of a trace as a list with a filter; a script loads rows while the user scrolls. {@code
 * event} is the selected event; the events of the allocation {@code sel} are marked.
 */
@Controller
class EventsPage {
  private static final int ROWS = 100;
  private static final int MAX_OPTIONS = 200;

  /** The choices of the filter's first field. */
  private static final List<Option> ACTIONS =
      List.of(
          new Option("", "all events"),
          new Option("alloc", "allocations"),
          new Option("free", "frees"),
          new Option("alloc,free", "allocations and frees"),
          new Option("segment", "segments and pages"),
          new Option("oom", "out of memory"),
          new Option("snapshot,annotate,user_defined,other", "others"));

  private final SnapshotFrame frame;
  private final EventLists lists;

  /** A choice of a field. */
  record Option(String value, String label) {}

  EventsPage(SnapshotFrame frame, EventLists lists) {
    this.frame = frame;
    this.lists = lists;
  }

  @GetMapping("/snapshots/{id}/events")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String event,
      @RequestParam @Nullable String sel,
      @RequestParam(defaultValue = "0") int offset,
      @ModelAttribute("query") EventQuery asked,
      HttpServletRequest request,
      Model model) {
    DeviceInspection inspection = frame.show(id, device, Tab.EVENTS, model);
    Slice.requireOffset(offset);
    int eventCount = inspection.device().trace().size();
    String owner = inspection.device().label();
    Selection selected = Selection.ofNumber(event, eventCount, "event", owner);
    Selection allocation =
        Selection.ofNumber(sel, inspection.lifetimes().size(), "allocation", owner);
    Integer around = selected.value() == null ? null : selected.value().intValue();
    List<String> notes = new ArrayList<>(Selection.notes(selected, allocation));
    EventQuery query = asked.corrected(inspection, inspection.stacks(), notes::add);
    model.addAttribute("query", query);
    model.addAttribute("kept", KeptParameters.of(request, "from", "to", "sel", "range"));
    model.addAttribute("event", around);
    model.addAttribute("allocation", allocation.value());
    model.addAttribute("notes", notes);
    model.addAttribute("actions", actions(query));
    model.addAttribute("site", query.siteRow(inspection, inspection.stacks()));
    model.addAttribute(
        "streams",
        inspection.device().trace().distinctStreams().stream().limit(MAX_OPTIONS).toList());
    model.addAttribute(
        "pools", inspection.device().trace().distinctPools().stream().limit(MAX_OPTIONS).toList());
    model.addAttribute(
        "list", EventListView.of(inspection, lists.of(query, inspection), offset, ROWS, around));
    model.addAttribute(
        "url",
        "/snapshots/"
            + id
            + Tab.EVENTS.path()
            + "?device="
            + inspection.ordinal()
            + query.parameters());
    return "events";
  }

  /** The choices, and that of the URL if it is another. */
  private static List<Option> actions(EventQuery query) {
    String chosen = query.action() == null ? "" : query.action();
    return ACTIONS.stream().anyMatch(option -> option.value().equals(chosen))
        ? ACTIONS
        : Stream.concat(ACTIONS.stream(), Stream.of(new Option(chosen, chosen))).toList();
  }
}
