package dev.vramscope.format.export;

import dev.vramscope.model.Frame;
import dev.vramscope.model.FxNode;
import dev.vramscope.model.StackTable;
import java.io.IOException;

/**
 * The stacks of a snapshot as lists of frames: each frame is written once, each stack once, and
 * named by its memo number from then on. The empty stack is one shared empty list.
 */
final class StackWriter {
  private final PickleOutput pickle;
  private final StackTable stacks;

  /** Memo number + 1 of a stack or frame; 0 when it was not written yet. */
  private final int[] memoOfStack;

  private final int[] memoOfFrame;

  StackWriter(PickleOutput pickle, StackTable stacks) {
    this.pickle = pickle;
    this.stacks = stacks;
    memoOfStack = new int[stacks.nodeCount()];
    memoOfFrame = new int[stacks.frames().size()];
  }

  /** A stack's frames, innermost first. */
  void write(int stack) throws IOException {
    int memo = memoOfStack[stack];
    if (memo != 0) {
      pickle.get(memo - 1);
      return;
    }
    pickle.emptyList();
    memoOfStack[stack] = pickle.memoize() + 1;
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
    int memo = memoOfFrame[number];
    if (memo != 0) {
      pickle.get(memo - 1);
      return;
    }
    Frame frame = stacks.frames().get(number);
    pickle.emptyDict();
    memoOfFrame[number] = pickle.memoize() + 1;
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
