package dev.vramscope.web.events;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.segments.MemoryNeighbours;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.StackTable;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.snapshot.FrameView;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.StackFrames;
import dev.vramscope.web.snapshot.Tab;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** One allocation: its life, its stack, and what had its memory before and after. */
@Controller
class AllocationPage {
  private static final int TENANTS = 20;
  private static final int CHARACTERS = 200_000;

  private final SnapshotFrame frame;

  AllocationPage(SnapshotFrame frame) {
    this.frame = frame;
  }

  /**
   * An allocation of a table.
   *
   * @param relation what it is to the allocation of the page
   */
  record Other(int row, String relation, @Nullable FrameView site) {}

  @GetMapping("/snapshots/{id}/allocations/{row}")
  String show(
      @PathVariable String id,
      @PathVariable int row,
      @RequestParam @Nullable Integer device,
      Model model) {
    DeviceInspection inspection = frame.show(id, device, Tab.TIMELINE, model);
    StackClasses stacks = inspection.stacks();
    Lifetimes lifetimes = inspection.lifetimes();
    AllocationApi.requireAllocation(row, inspection);
    frame.select(row, model);
    MemoryNeighbours tenants = MemoryNeighbours.of(lifetimes, inspection.sizes(), row, TENANTS);
    List<Other> before = new ArrayList<>();
    for (int other : tenants.before().reversed()) {
      before.add(new Other(other, "before", FrameView.ofSite(stacks, lifetimes.stack(other))));
    }
    List<Other> after = new ArrayList<>();
    for (int other : tenants.after()) {
      after.add(new Other(other, "after", FrameView.ofSite(stacks, lifetimes.stack(other))));
    }
    List<Other> beside = new ArrayList<>();
    tenants
        .below()
        .ifPresent(
            other ->
                beside.add(
                    new Other(other, "below", FrameView.ofSite(stacks, lifetimes.stack(other)))));
    tenants
        .above()
        .ifPresent(
            other ->
                beside.add(
                    new Other(other, "above", FrameView.ofSite(stacks, lifetimes.stack(other)))));
    int stack = lifetimes.stack(row);
    model.addAttribute("row", row);
    model.addAttribute("site", FrameView.ofSite(stacks, stack));
    model.addAttribute("hasStack", stack != StackTable.NONE);
    model.addAttribute("frames", StackFrames.of(stacks, stack, 0, new TextBudget(CHARACTERS)));
    model.addAttribute("stack", stack);
    model.addAttribute("use", inspection.uses().use(row).words());
    model.addAttribute("tenants", tenants);
    model.addAttribute("before", before);
    model.addAttribute("after", after);
    model.addAttribute("beside", beside);
    return "allocation";
  }
}
