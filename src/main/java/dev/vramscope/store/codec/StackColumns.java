package dev.vramscope.store.codec;

import dev.vramscope.model.Frame;
import dev.vramscope.model.FxNode;
import dev.vramscope.model.StackTable;
import java.util.List;

/**
 * Frames and stack nodes in chunks.
 *
 * <pre>
 *   frame  name · file number + 1, or 0 and a file that is new in this chunk · line · 1 if it has an FX node, then op,
 *          name, target, original trace
 *   node   two columns: number minus the parent's · frame minus that of the previous node
 * </pre>
 */
final class StackColumns {
  static final int ROWS = 1 << 16;

  private StackColumns() {}

  static void writeFrames(List<Frame> frames, ColumnWriter out) {
    ValueDictionary<String> files = new ValueDictionary<>();
    for (Frame frame : frames) {
      out.text(frame.name());
      int count = files.values().size();
      int file = files.numberOf(frame.file());
      out.number(file < count ? file + 1 : 0);
      if (file == count) {
        out.text(frame.file());
      }
      out.signed(frame.line());
      FxNode fx = frame.fx();
      out.raw((byte) (fx == null ? 0 : 1));
      if (fx != null) {
        out.text(fx.op());
        out.text(fx.name());
        out.text(fx.target());
        out.text(fx.originalTrace());
      }
    }
  }

  static void readFrames(ColumnReader in, int rows, StackTable.Builder stacks) {
    ValueDictionary<String> files = new ValueDictionary<>();
    for (int row = 0; row < rows; row++) {
      String name = in.text();
      int number = in.index(files.values().size() + 1);
      String file = number == 0 ? in.text() : files.values().get(number - 1);
      if (number == 0) {
        files.numberOf(file);
      }
      int line = (int) in.signed();
      FxNode fx = in.raw() == 0 ? null : new FxNode(in.text(), in.text(), in.text(), in.text());
      stacks.newFrame(new Frame(name, file, line, fx));
    }
    in.requireEnd();
  }

  /** Writes the nodes {@code from} to {@code to}, exclusive; the root is not written. */
  static void writeNodes(StackTable stacks, int from, int to, ColumnWriter out) {
    for (int node = from; node < to; node++) {
      out.number(node - stacks.parent(node));
    }
    int last = 0;
    for (int node = from; node < to; node++) {
      out.signed(stacks.frameNumber(node) - last);
      last = stacks.frameNumber(node);
    }
  }

  static void readNodes(ColumnReader in, int from, int to, StackTable.Builder stacks) {
    int[] parents = new int[to - from];
    for (int node = from; node < to; node++) {
      parents[node - from] = node - in.index(node + 1);
    }
    long frame = 0;
    for (int node = from; node < to; node++) {
      frame += in.signed();
      int parent = parents[node - from];
      if (frame < 0 || frame >= stacks.frameCount() || parent == node) {
        throw in.unreadable("node " + node + " has frame " + frame + " and parent " + parent);
      }
      if (stacks.child(parent, (int) frame) != node) {
        throw in.unreadable("node " + node + " occurs twice");
      }
    }
    in.requireEnd();
  }
}
