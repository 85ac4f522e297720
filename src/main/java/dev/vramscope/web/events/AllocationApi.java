package dev.vramscope.web.events;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EventView;
import dev.vramscope.web.snapshot.FrameView;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.web.snapshot.StackFrames;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Single allocations and stacks. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}")
@Tag(name = "Analyses")
class AllocationApi {
  private static final int STACK_CHARACTERS = 250_000;

  private static final DisplayFormat FORMAT = new DisplayFormat();

  private final SnapshotCache snapshots;

  AllocationApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
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
    StackClasses stacks = snapshots.get(id).stacks();
    StackFrames.requireStack(stacks, stack);
    return view(stacks, stack, offset);
  }

  /**
   * One allocation; null members were not recorded or had not happened by the end.
   *
   * @param address null for the sum of what was live before, of which only the sum is recorded
   * @param segment address of the segment that contains {@code address} at the end
   * @param stack the stack for {@code /stacks}
   */
  record AllocationView(
      int row,
      @Nullable String address,
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
      String use) {}

  @GetMapping("/allocations/{row}")
  @Operation(summary = "One allocation: address, lifetime and stack")
  AllocationView allocation(
      @PathVariable String id, @PathVariable int row, @RequestParam @Nullable Integer device) {
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshots.get(id), device);
    Lifetimes lifetimes = inspection.lifetimes();
    requireAllocation(row, inspection);
    Trace trace = inspection.device().trace();
    int allocationEvent = lifetimes.allocationEvent(row);
    int endEvent = lifetimes.endEvent(row);
    Long allocationMicros = micros(trace, allocationEvent);
    Long endMicros = micros(trace, endEvent);
    int stack = lifetimes.stack(row);
    StackView view = view(inspection.stacks(), stack, 0);
    var pool = lifetimes.pool(row);
    return new AllocationView(
        row,
        lifetimes.isUnnamed(row) ? null : "0x" + Long.toHexString(lifetimes.address(row)),
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
        inspection.uses().use(row).id());
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

  private static StackView view(StackClasses stacks, int stack, int offset) {
    StackFrames frames = StackFrames.of(stacks, stack, offset, new TextBudget(STACK_CHARACTERS));
    return new StackView(
        frames.frames(), FrameView.ofSite(stacks, stack), frames.frameCount(), frames.next());
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
