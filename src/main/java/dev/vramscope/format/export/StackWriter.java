package dev.vramscope.format.export;

import dev.vramscope.model.Frame;
import dev.vramscope.model.FxNode;
import dev.vramscope.model.StackTable;
import java.io.IOException;

/**
 * Writes stacks as lists of frames. Each stack and each frame is written once and then referenced
 * by its memo number. The empty stack is one shared empty list.
 */
final class StackWriter {
  private final PickleOutput pickle;
  private final StackTable stacks;

  /** Memo number + 1 of a stack or frame; 0 if it is not written yet. */
  private final int[] stackMemos;

  private final int[] frameMemos;

  StackWriter(PickleOutput pickle, StackTable stacks) {
    this.pickle = pickle;
    this.stacks = stacks;
    stackMemos = new int[stacks.nodeCount()];
    frameMemos = new int[stacks.frames().size()];
  }

  /** Writes the frames of a stack, innermost first. */
  void write(int stack) throws IOException {
    int memo = stackMemos[stack];
    if (memo != 0) {
      pickle.get(memo - 1);
      return;
    }
    pickle.emptyList();
    stackMemos[stack] = pickle.memoize() + 1;
    int inBatch = 0;
    for (int node = stack; node != StackTable.NONE; node = stacks.parent(node)) {
      if (inBatch == 0) {
        pickle.mark();
      }
      writeFrame(stacks.frameNumber(node));
      if (++inBatch == PickleOutput.BATCH) {
        pickle.appends();
        inBatch = 0;
      }
    }
    if (inBatch > 0) {
      pickle.appends();
    }
  }

  private void writeFrame(int number) throws IOException {
    int memo = frameMemos[number];
    if (memo != 0) {
      pickle.get(memo - 1);
      return;
    }
    Frame frame = stacks.frames().get(number);
    pickle.emptyDict();
    frameMemos[number] = pickle.memoize() + 1;
    pickle.mark();
    pickle.text("name");
    pickle.text(frame.name());
    pickle.text("filename");
    pickle.text(frame.file());
    pickle.text("line");
    pickle.number(frame.line());
    FxNode fx = frame.fx();
    if (fx != null) {
      pickle.text("fx_node_op");
      pickle.text(fx.op());
      pickle.text("fx_node_name");
      pickle.text(fx.name());
      pickle.text("fx_node_target");
      pickle.text(fx.target());
      pickle.text("fx_original_trace");
      pickle.text(fx.originalTrace());
    }
    pickle.setItems();
  }
}
