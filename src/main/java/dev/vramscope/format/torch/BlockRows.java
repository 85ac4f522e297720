package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The blocks of the open segment. The newest block is open until the next one opens. */
final class BlockRows implements Fields.Row {
  private static final int NO_LIST = -1;

  private final Fields fields;
  private final ListStates lists;
  private final StackRows stacks;
  private final KnownValues knownValues;
  private final SegmentRows segment;
  private final ReadLimits limits;

  private final List<SegmentTiles.RecordedBlock> recorded = new ArrayList<>();
  private int blocksList = NO_LIST;
  private boolean accepted;
  private long blocks;

  private boolean open;
  private boolean addressKnown;
  private long address;
  private long bytes;
  private long requestedBytes;

  /**
   * Whether another size is recorded: the rounded one by PyTorch for host memory, and that of the
   * block by the export of a block of unknown requested size.
   */
  private boolean requestedUnknown;

  private @Nullable BlockState state;
  private int stack;

  // Before PyTorch 2.1 the stack is in the history of the block, newest entry first.
  private int historyList = NO_LIST;
  private boolean entryOpen;
  private int historyStack;
  private int entries;

  BlockRows(
      Fields fields,
      ListStates lists,
      StackRows stacks,
      KnownValues knownValues,
      SegmentRows segment,
      ReadLimits limits) {
    this.fields = fields;
    this.lists = lists;
    this.stacks = stacks;
    this.knownValues = knownValues;
    this.segment = segment;
    this.limits = limits;
  }

  /** The blocks of all segments. */
  long count() {
    return blocks;
  }

  /** Removes the blocks of the previous segment. */
  void clear() {
    recorded.clear();
    open = false;
    accepted = false;
    blocksList = NO_LIST;
  }

  long openBlocks() {
    clear();
    blocksList = lists.open();
    return Role.BLOCKS.cell(blocksList);
  }

  long openBlock(long parent) throws FormatException {
    finish();
    if (Role.number(parent) != blocksList || accepted) {
      throw Fields.malformed(path(), "a block is added to a list that is already finished");
    }
    if (++blocks > limits.maxBlocks()) {
      throw Fields.tooMany(path(), "more than " + limits.maxBlocks() + " blocks");
    }
    open = true;
    addressKnown = false;
    address = 0;
    bytes = Block.UNKNOWN;
    requestedBytes = Block.UNKNOWN;
    requestedUnknown = segment.isHost();
    state = null;
    stack = StackTable.NONE;
    return Role.BLOCK.cell(recorded.size());
  }

  long openHistory() {
    historyList = lists.open();
    historyStack = StackTable.NONE;
    entries = 0;
    return Role.HISTORY.cell(historyList);
  }

  long openHistoryEntry() {
    entryOpen = true;
    entries++;
    return Role.HISTORY_ENTRY.cell(entries);
  }

  /** Sets a field of the open block; returns false if the key is unknown. */
  boolean put(long block, Key key, long value) throws FormatException {
    if (!open || Role.number(block) != recorded.size()) {
      throw Fields.malformed(path(), "a block changes after it was finished");
    }
    switch (key) {
      case ADDRESS -> {
        addressKnown = Cell.tag(value) != Cell.NONE;
        address = addressKnown ? fields.address(value, this, key) : 0;
      }
      case SIZE -> bytes = fields.sizeBytes(value, this, key);
      case REQUESTED_SIZE -> requestedBytes = fields.sizeBytes(value, this, key);
      case REQUESTED_SIZE_UNKNOWN -> requestedUnknown |= fields.bool(value, this, key);
      case STATE -> state = state(value);
      case FRAMES -> stack = stacks.stack(value, this);
      case HISTORY -> stack = history(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Checks a field of the newest history entry; returns false if the key is unknown. */
  boolean putHistory(long entry, Key key, long value) throws FormatException {
    if (!entryOpen || Role.number(entry) != entries) {
      throw Fields.malformed(path(), "a history entry changes after it was finished");
    }
    switch (key) {
      case FRAMES -> {
        int stack = stacks.stack(value, this);
        if (entries == 1) {
          historyStack = stack;
        }
      }
      case ADDR, REAL_SIZE -> {}
      default -> {
        return false;
      }
    }
    return true;
  }

  void append(long list, long[] cells, int from, int to) throws FormatException {
    finish();
    int number = Role.number(list);
    int count = lists.state(number);
    for (int i = from; i < to; i++) {
      String path = segment.path() + ".blocks[" + (count + i - from) + "]";
      if (!Role.BLOCK.is(cells[i])) {
        throw Fields.malformed(path, "expected a block, found " + Cell.describe(cells[i]));
      }
      if (number != blocksList || Role.number(cells[i]) != count + (i - from)) {
        throw Fields.malformed(path, "the same block occurs in two places");
      }
    }
    lists.state(number, count + (to - from));
  }

  void appendHistory(long list, long[] cells, int from, int to) throws FormatException {
    for (int i = from; i < to; i++) {
      if (!Role.HISTORY_ENTRY.is(cells[i])) {
        throw Fields.malformed(
            this, Key.HISTORY, "expected a history entry, found " + Cell.describe(cells[i]));
      }
    }
    entryOpen = false;
    int number = Role.number(list);
    lists.state(number, lists.state(number) + (to - from));
  }

  /** Accepts a list as the blocks of the open segment. */
  void accept(long cell, Fields.Row row) throws FormatException {
    finish();
    if (Role.BLOCKS.is(cell) && Role.number(cell) == blocksList) {
      accepted = true;
      return;
    }
    if (!lists.isEmpty(cell) && Cell.tag(cell) != Cell.NONE) {
      throw Fields.malformed(
          row,
          Key.BLOCKS,
          Role.BLOCKS.is(cell)
              ? "the same blocks occur in two segments, or blocks occurs twice in one"
              : "expected a list of blocks, found " + Cell.describe(cell));
    }
    clear();
  }

  /** The accepted blocks, arranged in their segment, whose size is -1 if it is not recorded. */
  SegmentTiles tiles(long segmentAddress, long segmentBytes, FindingCounter findings)
      throws FormatException {
    if (!accepted) {
      recorded.clear();
    }
    return SegmentTiles.of(segmentAddress, segmentBytes, recorded, segment, findings);
  }

  @Override
  public String path() {
    return segment.path() + ".blocks[" + recorded.size() + "]";
  }

  private void finish() throws FormatException {
    if (!open) {
      return;
    }
    if (bytes == Block.UNKNOWN) {
      throw Fields.malformed(this, Key.SIZE, "missing");
    }
    if (state == null) {
      throw Fields.malformed(this, Key.STATE, "missing");
    }
    open = false;
    // The requested size of an inactive block is that of its last allocation.
    long requested = state.isActive() && !requestedUnknown ? requestedBytes : Block.UNKNOWN;
    recorded.add(
        new SegmentTiles.RecordedBlock(
            addressKnown, new Block(address, bytes, requested, state, stack)));
  }

  private BlockState state(long value) throws FormatException {
    int text = fields.text(value, this, Key.STATE);
    BlockState state = knownValues.state(text);
    if (state == null) {
      throw Fields.malformed(
          this,
          Key.STATE,
          "expected active_allocated, active_pending_free or inactive, found another string");
    }
    return state;
  }

  private int history(long value) throws FormatException {
    if (lists.isEmpty(value) || Cell.tag(value) == Cell.NONE) {
      return StackTable.NONE;
    }
    if (!Role.HISTORY.is(value) || Role.number(value) != historyList) {
      throw Fields.malformed(
          this, Key.HISTORY, "expected a list that is not shared, found " + Cell.describe(value));
    }
    return historyStack;
  }
}
