package dev.vramscope.web;

import java.util.List;
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

  /** Outer frames that are left out. */
  public int omittedCount() {
    return frameCount - offset - frames.size();
  }
}
