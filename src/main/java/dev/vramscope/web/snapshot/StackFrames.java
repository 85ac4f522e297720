package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Frames of a stack, innermost first, as many as fit into one response.
 *
 * @param offset the position of the first one in the stack
 * @param frameCount frames of the whole stack
 */
public record StackFrames(List<FrameView> frames, int offset, int frameCount) {
  /** The frames of a stack from {@code offset}, within a budget. */
  public static StackFrames of(StackClasses stacks, int stack, int offset, TextBudget budget) {
    return of(stacks, stack, offset, Integer.MAX_VALUE, budget);
  }

  /** At most {@code limit} frames of a stack from {@code offset}. */
  public static StackFrames of(
      StackClasses stacks, int stack, int offset, int limit, TextBudget budget) {
    StackTable table = stacks.stacks();
    List<FrameView> frames = new ArrayList<>();
    int position = 0;
    for (int node = stack; node != StackTable.NONE; node = table.parent(node)) {
      if (position >= offset && frames.size() < limit && !budget.isSpent()) {
        frames.add(FrameView.of(stacks, node, budget));
      }
      position++;
    }
    if (offset < 0 || offset > position) {
      throw RefusedRequestException.badParameter("offset", offset, "0 to " + position);
    }
    return new StackFrames(frames, offset, position);
  }

  /** Rejects a number that is not a stack of the snapshot. */
  public static void requireStack(StackClasses stacks, int stack) {
    int count = stacks.stacks().nodeCount();
    if (stack < 0 || stack >= count) {
      throw RefusedRequestException.notFound(
          "There is no stack " + stack,
          "/stacks/" + stack,
          "Stacks are 0 (not recorded) to " + (count - 1) + ".");
    }
  }

  /** The offset of the frames that follow, or null if these are the outermost ones. */
  public @Nullable Integer next() {
    return offset + frames.size() < frameCount ? offset + frames.size() : null;
  }

  /**
   * Consecutive frames that are shown together: the program's own in full, all others folded.
   *
   * @param noun what the frames are: user frame, package frame, runtime frame, or package and
   *     runtime frame
   */
  public record Run(boolean isUser, String noun, List<FrameView> frames) {}

  /** All frames, in runs of the program's own and of others. */
  public List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    for (int from = 0, to; from < frames.size(); from = to) {
      boolean isUser = isUser(frames.get(from));
      to = from;
      while (to < frames.size() && isUser(frames.get(to)) == isUser) {
        to++;
      }
      List<FrameView> run = frames.subList(from, to);
      String kinds =
          run.stream()
              .map(FrameView::kind)
              .distinct()
              .sorted()
              .collect(Collectors.joining(" and "));
      runs.add(new Run(isUser, kinds + " frame", run));
    }
    return runs;
  }

  public boolean hasUserFrame() {
    return frames.stream().anyMatch(StackFrames::isUser);
  }

  private static boolean isUser(FrameView frame) {
    return frame.kind().equals("user");
  }

  /** Outer frames that are left out. */
  public int omittedCount() {
    return frameCount - offset - frames.size();
  }
}
