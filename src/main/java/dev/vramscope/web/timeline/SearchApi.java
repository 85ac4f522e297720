package dev.vramscope.web.timeline;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackSearch;
import dev.vramscope.analysis.timeline.SearchedMemory;
import dev.vramscope.analysis.timeline.SearchedMemory.Amount;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.StackTable;
import dev.vramscope.web.display.Columns;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Unchanging;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EventQuery;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The search in all frames, for charts that mark what it finds; see {@link Columns}. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}")
@Tag(name = "Charts")
class SearchApi {
  private final SnapshotCache snapshots;
  private final JsonMapper json;

  SearchApi(SnapshotCache snapshots, JsonMapper json) {
    this.snapshots = snapshots;
    this.json = json;
  }

  @Unchanging
  @GetMapping(path = "/search", produces = Columns.MEDIA_TYPE)
  @Operation(
      summary = "The stacks with a text in one of their frames, and their memory",
      description =
          "All words of 'text' must be in one frame: in its name, its file, or file:line. Upper and"
              + " lower case are the same. stacks: a set of bits, 32 in each number; stack s is"
              + " found if bit s % 32 of number s / 32 is 1. frameCount frames contain the text."
              + " allocationCount allocations, of allocatedBytes in all, have such a stack;"
              + " peakBytes of them are active at the peak, endBytes at the end, and eventBytes"
              + " after 'event' (null without one), all in requested bytes.")
  byte[] search(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam String text,
      @RequestParam @Nullable Integer event) {
    if (text.isBlank()) {
      throw RefusedRequestException.badParameter("text", text, "words in a frame");
    }
    SnapshotInspection snapshot = snapshots.get(id);
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshot, device);
    int eventCount = inspection.device().trace().size();
    if (event != null && (event < 0 || event >= eventCount)) {
      throw RefusedRequestException.badParameter(
          "event", event, eventCount == 0 ? "none; there is no trace" : "0 to " + (eventCount - 1));
    }
    StackTable table = snapshot.snapshot().stacks();
    StackSearch search = StackSearch.of(table, EventQuery.checked(text));
    SearchedMemory memory = new SearchedMemory(inspection.lifetimes(), search);
    ActiveBytes active = inspection.active();
    Amount all = memory.all();
    int peakEvent = active.peakEvent();
    return new Columns()
        .member("device", inspection.ordinal())
        .member("text", text)
        .member("frameCount", search.frameCount())
        .member("allocationCount", all.count())
        .member("allocatedBytes", all.bytes())
        .member("peakEvent", peakEvent == Lifetimes.BEFORE_RECORDING ? null : peakEvent)
        .member("peakBytes", memory.at(peakEvent).bytes())
        .member("endBytes", memory.at(active.eventCount() - 1).bytes())
        .member("eventBytes", event == null ? null : memory.at(event).bytes())
        .i32("stacks", (table.nodeCount() + 31) / 32, index -> bits(search, index))
        .bytes(json);
  }

  /** The bits of 32 stacks. */
  private static int bits(StackSearch search, int index) {
    int bits = 0;
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      if (search.matches(index * Integer.SIZE + bit)) {
        bits |= 1 << bit;
      }
    }
    return bits;
  }
}
