package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.web.display.TextBudget;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A stack frame.
 *
 * @param kind user, package or runtime
 */
public record FrameView(
    String name,
    String file,
    int line,
    @Schema(allowableValues = {"user", "package", "runtime"}) String kind) {
  /**
   * The frame that names the allocation site of a stack, or null if no stack was recorded: the
   * innermost frame of the user's code, or else of another kind.
   */
  public static @Nullable FrameView ofSite(StackClasses stacks, int stack) {
    return ofSite(stacks, stack, new TextBudget(0));
  }

  /** The same within a budget. */
  public static @Nullable FrameView ofSite(StackClasses stacks, int stack, TextBudget budget) {
    int node = stacks.siteOf(stack);
    return node == StackTable.NONE ? null : of(stacks, node, budget);
  }

  /** The frame of a node of the stack table, within a budget. */
  static FrameView of(StackClasses stacks, int node, TextBudget budget) {
    Frame frame = budget.frame(stacks.stacks().frame(node));
    String kind = stacks.kind(node).name().toLowerCase(Locale.ROOT);
    return new FrameView(frame.name(), frame.file(), frame.line(), kind);
  }
}
