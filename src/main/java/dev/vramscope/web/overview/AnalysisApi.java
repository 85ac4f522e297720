package dev.vramscope.web.overview;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.summary.MemorySummary;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.sites.SitesView;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EnteredSize;
import dev.vramscope.web.snapshot.EventView;
import dev.vramscope.web.snapshot.FrameView;
import dev.vramscope.web.snapshot.LedgerView;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.web.snapshot.StackFrames;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Analyses of a snapshot as JSON and text. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}")
@Tag(name = "Analyses")
class AnalysisApi {
  private static final int MAX_SITES = 2_000;
  private static final int STACK_CHARACTERS = 250_000;

  private static final DisplayFormat FORMAT = new DisplayFormat();

  private final SnapshotCache snapshots;

  AnalysisApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  @GetMapping(path = "/summary", produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(
      summary = "The counters of torch.cuda.memory_stats() that follow from a snapshot",
      description =
          "counters are in the file, or follow from it. replayed has those that a replay of the"
              + " whole recording adds, if it reproduces the recording; lowerBounds has lower"
              + " bounds of peaks that are in neither. Accept: text/plain returns the table of"
              + " torch.cuda.memory_summary().")
  SummaryView summary(@PathVariable String id, @RequestParam @Nullable Integer device) {
    DeviceInspection inspection = ChosenDevice.withSegments(snapshots.get(id), device);
    MemorySummary summary = inspection.summary();
    return new SummaryView(
        summary.device(),
        summary.counters(),
        inspection.counters().replayed(),
        inspection.counters().lowerBounds(),
        summary.isComplete());
  }

  /**
   * The counters of {@link MemorySummary}.
   *
   * @param replayed counters from a replay that reproduces the whole recording
   * @param lowerBounds of counters that are unknown
   */
  record SummaryView(
      int device,
      Map<String, Long> counters,
      Map<String, Long> replayed,
      Map<String, Long> lowerBounds,
      boolean isComplete) {}

  @GetMapping(path = "/summary", produces = MediaType.TEXT_PLAIN_VALUE)
  ResponseEntity<byte[]> summaryAsText(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String abbreviated) {
    return summaryText(id, device, abbreviated);
  }

  @GetMapping(path = "/summary.txt")
  @Operation(
      summary = "The table of torch.cuda.memory_summary()",
      description = "?abbreviated omits the rows of the two pools.")
  ResponseEntity<byte[]> summaryText(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String abbreviated) {
    DeviceInspection inspection = ChosenDevice.withSegments(snapshots.get(id), device);
    var table = inspection.counters().table();
    boolean isShort = abbreviated != null && !abbreviated.equalsIgnoreCase("false");
    String text = isShort ? table.abbreviated() : table.full();
    return ResponseEntity.ok()
        .contentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8))
        .body(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A ledger and the ordinal of its device. */
  record DeviceLedger(int device, LedgerView ledger) {}

  @GetMapping("/ledger")
  @Operation(
      summary = "Where every byte is, at the end of the recording",
      description =
          "Rows add up to the total exactly; an unknown row has a reason instead of bytes. total"
              + " is the device's memory (such as 80 GiB), which a snapshot does not contain.")
  DeviceLedger ledger(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String total) {
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshots.get(id), device);
    return new DeviceLedger(
        inspection.ordinal(),
        LedgerView.of(
            inspection.moments().ledger(EnteredSize.required(total, inspection)),
            inspection.family()));
  }

  /** A budget and the ordinal of its device. */
  record DeviceBudget(int device, BudgetView budget) {}

  @GetMapping("/budget")
  @Operation(
      summary = "What the memory is used for: parameters, gradients, activations, …",
      description =
          "The ledger with its live memory divided by use; known rows add up to the total exactly."
              + " at is failure, peak or end; by default failure if a request failed, otherwise"
              + " peak. Uses are estimated from stacks, lifetimes and sizes; isEstimated is false"
              + " if the program declared them. expectedBytes is what training needs by rule.")
  DeviceBudget budget(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String at,
      @RequestParam(defaultValue = "0") int n,
      @RequestParam @Nullable String total) {
    SnapshotInspection snapshot = snapshots.get(id);
    DeviceInspection inspection = ChosenDevice.withSegments(snapshot, device);
    DeviceEvidence evidence = EnteredSize.required(total, inspection);
    return new DeviceBudget(
        inspection.ordinal(),
        BudgetView.of(
            BudgetChoice.of(at, n, inspection).budget(inspection, evidence),
            snapshot,
            inspection.family()));
  }

  @GetMapping("/sites")
  @Operation(
      summary = "Allocations grouped by the innermost frame of the user's own code",
      description =
          "Allocations without a stack have rows too, so that every column adds up. Most live bytes"
              + " first; nextOffset is the offset of the next page. Long texts are elided. Live is"
              + " active: pendingFreeBytes is the part that is pending free. Without a trace, only"
              + " the state at the end is known, and the other numbers are null.")
  SitesView sites(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int offset,
      @RequestParam(defaultValue = "500") int limit) {
    if (limit < 1 || limit > MAX_SITES) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + MAX_SITES);
    }
    DeviceInspection inspection = ChosenDevice.of(snapshots.get(id), device);
    return SitesView.of(inspection.sites(), inspection.hasEvents(), offset, limit);
  }

  /**
   * A stack, innermost frame first, and the frame that names its allocation site.
   *
   * @param frameCount frames of the whole stack
   * @param nextOffset the offset of the frames that follow, or null
   */
  record StackView(
      List<FrameView> frames,
      @Nullable FrameView site,
      int frameCount,
      @Nullable Integer nextOffset) {}

  @GetMapping("/stacks/{stack}")
  @Operation(
      summary = "A stack by its number, innermost frame first",
      description = "offset skips inner frames; nextOffset is set if not all frames fit.")
  StackView stack(
      @PathVariable String id,
      @PathVariable int stack,
      @RequestParam(defaultValue = "0") int offset) {
    SnapshotInspection snapshot = snapshots.get(id);
    StackFrames.requireStack(snapshot, stack);
    return view(snapshot, stack, offset);
  }

  /**
   * One allocation; null members were not recorded or had not happened by the end.
   *
   * @param segment address of the segment that contains {@code address} at the end
   * @param stack the stack for {@code /stacks}
   */
  record AllocationView(
      int row,
      String address,
      @Nullable String segment,
      @Nullable Long requestedBytes,
      @Nullable Long allocatedBytes,
      long stream,
      @Nullable String pool,
      @Nullable Integer allocationEvent,
      @Nullable Integer freeRequestedEvent,
      @Nullable Integer freeCompletedEvent,
      @Nullable Long allocationMicros,
      @Nullable Long lifeMicros,
      @Nullable Integer stack,
      @Nullable FrameView site,
      List<FrameView> frames,
      int frameCount,
      @Nullable String userMetadata,
      @Nullable String compileContext,
      @Nullable String category) {}

  @GetMapping("/allocations/{row}")
  @Operation(summary = "One allocation: address, lifetime and stack")
  AllocationView allocation(
      @PathVariable String id, @PathVariable int row, @RequestParam @Nullable Integer device) {
    SnapshotInspection snapshot = snapshots.get(id);
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshot, device);
    Lifetimes lifetimes = inspection.lifetimes();
    requireAllocation(row, inspection);
    Trace trace = inspection.device().trace();
    int allocationEvent = lifetimes.allocationEvent(row);
    int endEvent = lifetimes.endEvent(row);
    Long allocationMicros = micros(trace, allocationEvent);
    Long endMicros = micros(trace, endEvent);
    int stack = lifetimes.stack(row);
    StackView view = view(snapshot, stack, 0);
    var pool = lifetimes.pool(row);
    return new AllocationView(
        row,
        "0x" + Long.toHexString(lifetimes.address(row)),
        EventView.finalSegment(inspection, lifetimes.address(row)),
        bytesIfKnown(lifetimes.requestedBytes(row)),
        bytesIfKnown(lifetimes.allocatedBytes(row)),
        lifetimes.stream(row),
        pool == null ? null : pool.toString(),
        event(allocationEvent),
        event(lifetimes.freeRequestedEvent(row)),
        event(lifetimes.freeCompletedEvent(row)),
        allocationMicros,
        allocationMicros == null || endMicros == null ? null : endMicros - allocationMicros,
        stack == StackTable.NONE ? null : stack,
        view.site(),
        view.frames(),
        view.frameCount(),
        allocationEvent < 0 ? null : elided(trace.userMetadata().of(allocationEvent)),
        allocationEvent < 0 ? null : elided(trace.compileContexts().of(allocationEvent)),
        stack == StackTable.NONE
            ? null
            : snapshot.stacks().category(stack).name().toLowerCase(Locale.ROOT));
  }

  /** Rejects a number that is not a row of the device's allocations. */
  static void requireAllocation(int row, DeviceInspection device) {
    int count = device.lifetimes().size();
    if (row < 0 || row >= count) {
      throw RefusedRequestException.notFound(
          "There is no allocation " + row + " on device " + device.ordinal(),
          "/allocations/" + row,
          count == 0 ? "This device has none." : "Allocations are 0 to " + (count - 1) + ".");
    }
  }

  private static StackView view(SnapshotInspection snapshot, int stack, int offset) {
    StackFrames frames = StackFrames.of(snapshot, stack, offset, new TextBudget(STACK_CHARACTERS));
    return new StackView(
        frames.frames(), FrameView.ofSite(snapshot, stack), frames.frameCount(), frames.next());
  }

  private static @Nullable String elided(@Nullable String text) {
    return text == null ? null : FORMAT.elided(text, TextBudget.MAX_TEXT);
  }

  private static @Nullable Long micros(Trace trace, int event) {
    if (event < 0 || event >= trace.size() || trace.timeMicros(event) == Trace.NO_TIME) {
      return null;
    }
    return trace.timeMicros(event);
  }

  private static @Nullable Integer event(int event) {
    return event == Lifetimes.BEFORE_RECORDING || event == Lifetimes.NEVER ? null : event;
  }

  private static @Nullable Long bytesIfKnown(long bytes) {
    return bytes == Lifetimes.UNKNOWN ? null : bytes;
  }
}
