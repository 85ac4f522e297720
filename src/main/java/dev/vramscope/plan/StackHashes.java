package dev.vramscope.plan;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;

/**
 * Numbers that identify stacks by their frames: the same code has the same number in each file. Of
 * a file's path only the last part counts, since the same program may lie in another folder on
 * another machine.
 */
final class StackHashes {
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  /** The number of an empty stack, with which those of the program begin. */
  private static final long ENTRY = 0;

  private final long[] ofNode;

  /**
   * Numbers stacks.
   *
   * @param entry the innermost node above the program: its frame and its callers do not count
   */
  StackHashes(StackTable stacks, int entry) {
    long[] frames = new long[stacks.frames().size()];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = of(stacks.frames().get(i));
    }
    ofNode = new long[stacks.nodeCount()];
    ofNode[StackTable.NONE] = ENTRY;
    // A parent has a smaller id, so its number is already known.
    for (int node = 1; node < ofNode.length; node++) {
      ofNode[node] =
          node == entry
              ? ENTRY
              : mixed(ofNode[stacks.parent(node)] + frames[stacks.frameNumber(node)]);
    }
  }

  private static long of(Frame frame) {
    String file = frame.file();
    int name = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1;
    return mixed(
        mixed(mixed(frame.name().hashCode()) + file.substring(name).hashCode()) + frame.line());
  }

  static long mixed(long number) {
    long mixed = (number + 1) * FACTOR;
    return (mixed ^ mixed >>> 29) * FACTOR;
  }

  /** 0 for no stack. */
  long of(int stack) {
    return ofNode[stack];
  }
}
