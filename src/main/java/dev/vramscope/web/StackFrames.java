package dev.vramscope.web;

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
record StackFrames(List<LoadedSnapshot.FrameView> frames, int offset, int frameCount) {
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
  public record Run(boolean isUser, String noun, List<LoadedSnapshot.FrameView> frames) {}

  /** All frames, in runs of the program's own and of others. */
  public List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    for (int from = 0, to; from < frames.size(); from = to) {
      boolean isUser = isUser(frames.get(from));
      to = from;
      while (to < frames.size() && isUser(frames.get(to)) == isUser) {
        to++;
      }
      List<LoadedSnapshot.FrameView> run = frames.subList(from, to);
      String kinds =
          run.stream()
              .map(LoadedSnapshot.FrameView::kind)
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

  private static boolean isUser(LoadedSnapshot.FrameView frame) {
    return frame.kind().equals("user");
  }

  /** Outer frames that are left out. */
  public int omittedCount() {
    return frameCount - offset - frames.size();
  }
}
