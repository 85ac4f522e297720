package dev.vramscope.web.steps;

import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.StepTable;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.SnapshotLinks;
import dev.vramscope.web.snapshot.Tab;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The steps of a recording, and since which step the driver is not called any more. */
@Controller
class StepsPage {
  private static final int SHOWN = 50;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  private final SnapshotFrame frame;
  private final SnapshotCache snapshots;

  StepsPage(SnapshotFrame frame, SnapshotCache snapshots) {
    this.frame = frame;
    this.snapshots = snapshots;
  }

  @GetMapping("/snapshots/{id}/steps")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "number") String by,
      @RequestParam(defaultValue = "0") int offset,
      Model model) {
    DeviceInspection inspection = frame.show(id, device, Tab.STEPS, model);
    StepOrder order = StepOrder.of(by);
    StepTable table = inspection.steps();
    StackClasses stacks = snapshots.get(id).stacks();
    model.addAttribute("table", table);
    model.addAttribute("order", order);
    model.addAttribute("orders", StepOrder.values());
    model.addAttribute("slice", Slice.of(order.sorted(table.steps()), offset, SHOWN));
    model.addAttribute("chart", StepChart.of(table.steps()));
    model.addAttribute("scale", scale(table.steps()));
    StepTable.Broken broken = table.broken();
    model.addAttribute("brokenCalls", broken == null ? null : calls(broken));
    model.addAttribute("brokenAt", broken == null ? null : frame(broken.stack(), stacks));
    if (table.source().isGuessed()) {
      int event = firstAllocation(table, inspection);
      model.addAttribute("recurring", event);
      model.addAttribute("recurringAt", frame(inspection.device().trace().stack(event), stacks));
    }
    return "steps";
  }

  /** Such as: took 2 calls to acquire and 1 call to release memory. */
  private static String calls(StepTable.Broken broken) {
    boolean hasAcquired = broken.acquireCount() > 0;
    String acquired =
        hasAcquired
            ? " took " + FORMAT.counted(broken.acquireCount(), "call") + " to acquire"
            : " failed after";
    String released =
        broken.releaseCount() > 0
            ? (hasAcquired ? " and " : " ")
                + FORMAT.counted(broken.releaseCount(), "call")
                + " to release"
            : "";
    return acquired + released + " memory";
  }

  /** Two steps compared at their peaks. */
  @GetMapping("/snapshots/{id}/steps/compare")
  String compare(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam int one,
      @RequestParam int other) {
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshots.get(id), device);
    return "redirect:"
        + SnapshotLinks.compare(
            id,
            inspection.ordinal(),
            step("one", one, inspection),
            step("other", other, inspection));
  }

  private static StepTable.Step step(String name, int number, DeviceInspection device) {
    List<StepTable.Step> steps = device.steps().steps();
    if (number < 1 || number > steps.size()) {
      throw RefusedRequestException.badParameter(
          name,
          number,
          steps.isEmpty()
              ? "none; device " + device.ordinal() + " has no steps"
              : "1 to " + steps.size());
    }
    return steps.get(number - 1);
  }

  /** The allocation that starts the first step; driver calls that serve it may precede it. */
  private static int firstAllocation(StepTable table, DeviceInspection device) {
    int row = device.lifetimes().firstAllocatedFrom(table.steps().getFirst().window().from());
    return device.lifetimes().allocationEvent(row);
  }

  private static @Nullable Frame frame(int stack, StackClasses stacks) {
    return stack == StackTable.NONE ? null : stacks.stacks().frame(stacks.siteOf(stack));
  }

  /** The largest value of each column with bars, at least 1. */
  private static Map<String, Long> scale(List<StepTable.Step> steps) {
    long[] most = new long[4];
    Arrays.fill(most, 1);
    for (StepTable.Step step : steps) {
      most[0] = Math.max(most[0], step.peakBytes());
      most[1] = Math.max(most[1], Math.abs(step.growthBytes()));
      most[2] = Math.max(most[2], step.allocatedBytes());
      most[3] = Math.max(most[3], step.driverCalls());
    }
    return Map.of("peak", most[0], "growth", most[1], "allocated", most[2], "calls", most[3]);
  }
}
