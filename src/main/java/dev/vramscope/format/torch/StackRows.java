package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.model.StackTable;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Frames and lists of frames. A frame dict gets a number when it opens, and its frame when it is
 * finished; a list of frames becomes a stack when it is first used.
 */
final class StackRows implements Fields.Row {
  private static final long NODE_BYTES = 24;
  private static final long FRAME_BYTES = 360;

  private static final int NO_FRAME = -1;

  /** The name of the outermost frame of a stack that was cut; {@code frame-rules.txt} has it. */
  private static final String OMITTED_FRAMES = "(outer frames omitted)";

  private final Fields fields;
  private final ListStates lists;
  private final FindingCounter findings;
  private final ReadLimits limits;
  private final StackTable.Builder stacks = new StackTable.Builder();
  private final StackCache cache;
  private final TorchFrames frames;
  // The frame number of each frame dict, or NO_FRAME while it is open.
  private int[] frameOfDict = new int[256];
  private int dicts;

  // The newest frame dict is open.
  private boolean frameOpen;
  private final int[] frame = new int[TorchFrames.WIDTH];

  // The open list, the length of it so far, and the innermost frames of it, up to the limit.
  private int openList = -1;
  private int length;
  private int[] numbers = new int[64];

  // The stack of the open list if the list repeats another one, else NONE; then numbers and length
  // are only set if the list grows.
  private int repeated = StackTable.NONE;
  // Lists that cannot be repeated: filled in several batches, or cut.
  private final BitSet irregular = new BitSet();

  StackRows(Fields fields, ListStates lists, FindingCounter findings, ReadLimits limits) {
    this.fields = fields;
    this.lists = lists;
    this.findings = findings;
    this.limits = limits;
    this.cache = new StackCache(stacks, limits);
    this.frames = new TorchFrames(stacks, fields.values().texts());
  }

  StackTable build() {
    return stacks.build();
  }

  long openFrame() throws FormatException {
    finishFrame();
    frameOpen = true;
    Arrays.fill(frame, TorchFrames.NO_TEXT);
    frame[TorchFrames.LINE] = 0;
    if (dicts == frameOfDict.length) {
      frameOfDict = Arrays.copyOf(frameOfDict, dicts * 2);
    }
    frameOfDict[dicts++] = NO_FRAME;
    return Role.FRAME.cell(dicts - 1);
  }

  long openList() throws FormatException {
    finishList();
    openList = lists.open();
    length = 0;
    return Role.FRAMES.cell(openList);
  }

  /** Sets a field of a frame; returns false if the key is unknown. */
  boolean put(long dict, Key key, long value) throws FormatException {
    if (!frameOpen || Role.number(dict) != dicts - 1) {
      throw Fields.malformed(path(), "a frame changes after it was used");
    }
    switch (key) {
      case NAME -> frame[TorchFrames.NAME] = fields.text(value, this, key);
      case FILENAME -> frame[TorchFrames.FILENAME] = fields.text(value, this, key);
      case LINE -> frame[TorchFrames.LINE] = lineNumber(fields.integer(value, this, key));
      case FX_NODE_OP -> frame[TorchFrames.FX_OP] = fxText(value, key);
      case FX_NODE_NAME -> frame[TorchFrames.FX_NAME] = fxText(value, key);
      case FX_NODE_TARGET -> frame[TorchFrames.FX_TARGET] = fxText(value, key);
      case FX_ORIGINAL_TRACE -> frame[TorchFrames.FX_TRACE] = fxText(value, key);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Appends frame dicts to a list of frames. */
  void append(long list, long[] cells, int from, int to) throws FormatException {
    if (Role.number(list) != openList) {
      throw Fields.malformed(path(), "a stack grows after it was used");
    }
    if (length() > 0 || to - from > limits.maxStackFrames()) {
      irregular.set(openList);
      restoreRepeated();
    }
    int keptLength = Math.min(from + Math.max(0, limits.maxStackFrames() - length), to);
    int end = length + (keptLength - from);
    if (end > numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(numbers.length * 2, end));
    }
    for (int i = from; i < keptLength; i++) {
      numbers[length++] = frameNumber(cells[i]);
    }
    for (int i = keptLength; i < to; i++) {
      frameNumber(cells[i]);
      length++;
    }
    lists.state(openList, length);
  }

  /** Fills an empty list with the frames of an earlier one; returns false if it is unchanged. */
  boolean repeat(long list, long earlier) {
    int source = Role.number(earlier);
    if (Role.number(list) != openList
        || length() > 0
        || source == openList
        || !Role.FRAMES.is(earlier)
        || irregular.get(source)) {
      return false;
    }
    repeated = lists.state(source);
    lists.state(openList, repeated);
    return true;
  }

  /** The stack for a value of the key {@code frames}. */
  int stack(long cell, Fields.Row row) throws FormatException {
    if (Role.FRAMES.is(cell)) {
      int list = Role.number(cell);
      if (list == openList) {
        finishList();
      }
      return lists.state(list);
    }
    if (lists.isEmpty(cell) || Cell.tag(cell) == Cell.NONE) {
      return StackTable.NONE;
    }
    throw Fields.malformed(
        row, Key.FRAMES, "expected a list of frames, found " + Cell.describe(cell));
  }

  @Override
  public String path() {
    return "frames[" + length() + "]";
  }

  /** About how much heap the stacks take. */
  long heapBytes() {
    return stacks.nodeCount() * NODE_BYTES + stacks.frameCount() * FRAME_BYTES;
  }

  private int length() {
    return repeated == StackTable.NONE ? length : stacks.depth(repeated);
  }

  private void restoreRepeated() {
    if (repeated != StackTable.NONE) {
      numbers = stacks.frameNumbers(repeated);
      length = numbers.length;
      repeated = StackTable.NONE;
    }
  }

  private int frameNumber(long cell) throws FormatException {
    if (!Role.FRAME.is(cell)) {
      throw Fields.malformed(path(), "expected a frame, found " + Cell.describe(cell));
    }
    int dict = Role.number(cell);
    int number = frameOfDict[dict];
    if (number == NO_FRAME) {
      if (dict != dicts - 1) {
        throw Fields.malformed(path(), "a frame is used before it is complete");
      }
      finishFrame();
      number = frameOfDict[dict];
    }
    return number;
  }

  private void finishList() throws FormatException {
    if (openList < 0) {
      return;
    }
    if (repeated != StackTable.NONE) {
      repeated = StackTable.NONE;
    } else if (length > 0) {
      int keptLength = cut(length);
      lists.state(openList, cache.stack(numbers, keptLength));
      if (stacks.nodeCount() > limits.maxStackNodes()) {
        throw Fields.tooMany("frames", "more than " + limits.maxStackNodes() + " stack nodes");
      }
    }
    openList = -1;
    length = 0;
  }

  /** The number of kept frames of a stack; the last one marks that it was longer. */
  private int cut(int recorded) throws FormatException {
    int max = limits.maxStackFrames();
    if (recorded <= max) {
      return recorded;
    }
    findings.stackCut(max, recorded);
    if (numbers.length == max) {
      numbers = Arrays.copyOf(numbers, max + 1);
    }
    numbers[max] = frames.number(omittedFrames());
    return max + 1;
  }

  private int[] omittedFrames() throws FormatException {
    int[] marker = new int[TorchFrames.WIDTH];
    Arrays.fill(marker, TorchFrames.NO_TEXT);
    marker[TorchFrames.NAME] = fields.values().texts().intern(OMITTED_FRAMES);
    marker[TorchFrames.LINE] = 0;
    return marker;
  }

  private void finishFrame() throws FormatException {
    if (!frameOpen) {
      return;
    }
    frameOpen = false;
    if (frame[TorchFrames.NAME] == TorchFrames.NO_TEXT
        && frame[TorchFrames.FILENAME] == TorchFrames.NO_TEXT) {
      throw Fields.malformed(path(), "a frame has neither name nor filename");
    }
    frameOfDict[dicts - 1] = frames.number(frame);
    if (stacks.frameCount() > limits.maxFrames()) {
      throw Fields.tooMany("frames", "more than " + limits.maxFrames() + " distinct frames");
    }
  }

  private int fxText(long cell, Key key) throws FormatException {
    return Cell.tag(cell) == Cell.NONE ? TorchFrames.NO_TEXT : fields.text(cell, this, key);
  }

  // PyTorch writes 2^64 - 1 for a Python frame without a line number.
  private static int lineNumber(long bits) {
    return bits < 0 || bits > Integer.MAX_VALUE ? 0 : (int) bits;
  }
}
