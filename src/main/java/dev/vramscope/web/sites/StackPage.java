package dev.vramscope.web.sites;

import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.StackFrames;
import dev.vramscope.web.snapshot.Tab;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** One stack, for those that are too long for the page of the sites. */
@Controller
class StackPage {
  private static final int CHARACTERS = 200_000;

  private final SnapshotFrame frame;

  StackPage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}/stacks/{stack}")
  String show(
      @PathVariable String id,
      @PathVariable int stack,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int offset,
      Model model) {
    StackClasses stacks = frame.show(id, device, Tab.SITES, model).stacks();
    StackFrames.requireStack(stacks, stack);
    if (stack == StackTable.NONE) {
      throw RefusedRequestException.notFound(
          "No stack was recorded", "/stacks/0", "Open the page of the sites.");
    }
    model.addAttribute("stack", stack);
    model.addAttribute("frames", StackFrames.of(stacks, stack, offset, new TextBudget(CHARACTERS)));
    return "stack";
  }
}
