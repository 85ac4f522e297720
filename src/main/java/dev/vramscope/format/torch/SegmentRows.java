package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The segments of all devices and of the host, which are in a list of their own. The newest segment
 * is open: its fields are stored here, its blocks in {@link BlockRows}, and both become a {@link
 * Segment} when it is finished.
 */
final class SegmentRows implements Fields.Row {
  private static final long UNKNOWN = -1;

  /** A segment with its pool, and what analyses keep of it; the same of a block. */
  private static final long SEGMENT_BYTES = 400;

  private static final long BLOCK_BYTES = 60;

  private static final int NO_LIST = -1;

  /** Below it, every sum over segments is exact. */
  private static final long MAX_RESERVED_BYTES = 1L << 53;

  private final Fields fields;
  private final ListStates lists;
  private final StackRows stacks;
  private final BlockRows blocks;
  private final PoolIds pools;
  private final KnownValues knownValues;
  private final FindingCounter findings;
  private final ReadLimits limits;

  private final Map<Integer, List<Segment>> devices = new TreeMap<>();

  /** The lists of the devices and of the host. */
  private final int[] listOf = {NO_LIST, NO_LIST};

  /** The list that is read. */
  private int segmentsList = NO_LIST;

  private boolean host;
  private int first;
  private int count;
  private long reservedBytes;

  private boolean open;
  private int device;
  private long address;
  private boolean addressKnown;
  private long bytes;
  private long allocatedBytes;
  private long activeBytes;
  private long requestedBytes;
  private long stream;
  private @Nullable PoolKind kind;
  private PoolId pool = PoolId.DEFAULT;
  private boolean expandable;
  private int stack;
  private boolean blocksGiven;

  SegmentRows(
      Fields fields,
      ListStates lists,
      StackRows stacks,
      PoolIds pools,
      KnownValues knownValues,
      FindingCounter findings,
      ReadLimits limits) {
    this.fields = fields;
    this.lists = lists;
    this.stacks = stacks;
    this.pools = pools;
    this.knownValues = knownValues;
    this.findings = findings;
    this.limits = limits;
    this.blocks = new BlockRows(fields, lists, stacks, knownValues, this, limits);
  }

  BlockRows blocks() {
    return blocks;
  }

  /** Opens the list of the segments of all devices or, with another key, of the host. */
  long openSegments(Key key) {
    open = false;
    host = key == Key.HOST_SEGMENTS;
    first = count;
    devices.keySet().removeIf(ordinal -> (ordinal == DeviceSnapshot.PINNED_HOST) == host);
    segmentsList = lists.open();
    listOf[host ? 1 : 0] = segmentsList;
    return Role.SEGMENTS.cell(segmentsList);
  }

  long openSegment(long parent) throws FormatException {
    finish();
    if (Role.number(parent) != segmentsList) {
      throw Fields.malformed(path(), "a segment is added to a list that is already finished");
    }
    open = true;
    device = host ? DeviceSnapshot.PINNED_HOST : 0;
    addressKnown = false;
    bytes = UNKNOWN;
    allocatedBytes = UNKNOWN;
    activeBytes = UNKNOWN;
    requestedBytes = UNKNOWN;
    stream = 0;
    kind = null;
    pool = PoolId.DEFAULT;
    expandable = false;
    stack = StackTable.NONE;
    blocksGiven = false;
    blocks.clear();
    return Role.SEGMENT.cell(count);
  }

  /** Sets a field of the open segment; returns false if the key is unknown. */
  boolean put(long segment, Key key, long value) throws FormatException {
    if (!open || Role.number(segment) != count) {
      throw Fields.malformed(path(), "a segment changes after it was finished");
    }
    switch (key) {
      case DEVICE -> device = ordinal(value);
      case ADDRESS -> {
        address = fields.address(value, this, key);
        addressKnown = true;
      }
      case TOTAL_SIZE -> bytes = fields.sizeBytes(value, this, key);
      case ALLOCATED_SIZE -> allocatedBytes = fields.sizeBytes(value, this, key);
      case ACTIVE_SIZE -> activeBytes = fields.sizeBytes(value, this, key);
      case REQUESTED_SIZE -> requestedBytes = fields.sizeBytes(value, this, key);
      case STREAM -> stream = fields.integer(value, this, key);
      case SEGMENT_TYPE -> kind = kind(value);
      case SEGMENT_POOL_ID ->
          pool = Cell.tag(value) == Cell.NONE ? PoolId.DEFAULT : pools.pool(value, this, key);
      case IS_EXPANDABLE -> expandable = fields.bool(value, this, key);
      case FRAMES -> stack = stacks.stack(value, this);
      case BLOCKS -> {
        blocks.accept(value, this);
        blocksGiven = true;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  void append(long list, long[] cells, int from, int to) throws FormatException {
    finish();
    int number = Role.number(list);
    int appended = lists.state(number);
    for (int i = from; i < to; i++) {
      String path = list() + "[" + (appended + i - from) + "]";
      if (!Role.SEGMENT.is(cells[i])) {
        throw Fields.malformed(path, "expected a segment, found " + Cell.describe(cells[i]));
      }
      if (number != segmentsList || Role.number(cells[i]) != first + appended + (i - from)) {
        throw Fields.malformed(path, "the same segment occurs in two places");
      }
    }
    lists.state(number, appended + (to - from));
  }

  /** About how much heap the segments and blocks take. */
  long heapBytes() {
    return count * SEGMENT_BYTES + blocks.count() * BLOCK_BYTES;
  }

  /** Accepts one of the lists of segments, which are then in {@link #devices}. */
  void accept(long cell, Fields.Row row, Key key) throws FormatException {
    finish();
    if (Role.SEGMENTS.is(cell) && Role.number(cell) == listOf[key == Key.HOST_SEGMENTS ? 1 : 0]) {
      return;
    }
    if (!lists.isEmpty(cell) && Cell.tag(cell) != Cell.NONE) {
      throw Fields.malformed(
          row,
          key,
          Role.SEGMENTS.is(cell)
              ? "the key occurs twice"
              : "expected a list of segments, found " + Cell.describe(cell));
    }
    openSegments(key);
  }

  /** The segments by device, in the order of the file. */
  Map<Integer, List<Segment>> devices() {
    return devices;
  }

  @Override
  public String path() {
    return list() + "[" + (count - first) + "]";
  }

  /** Whether the open segment is one of the host. */
  boolean isHost() {
    return host;
  }

  private String list() {
    return host ? "host_segments" : "segments";
  }

  private void finish() throws FormatException {
    if (!open) {
      return;
    }
    open = false;
    if (!addressKnown) {
      throw Fields.malformed(this, Key.ADDRESS, "missing");
    }
    if (bytes == UNKNOWN && !blocksGiven) {
      throw Fields.malformed(this, Key.TOTAL_SIZE, "missing");
    }
    SegmentTiles tiles = blocks.tiles(address, bytes, findings);
    PoolKind size = kind != null ? kind : kindOf(tiles.bytes());
    Segment segment =
        new Segment(address, tiles.bytes(), stream, size, pool, expandable, stack, tiles.blocks());
    count++;
    if (tiles.bytes() == 0) {
      findings.count(FindingKind.EMPTY_SEGMENTS);
      return;
    }
    reservedBytes += tiles.bytes();
    if (reservedBytes > MAX_RESERVED_BYTES) {
      throw Fields.malformed("segments", "the total size exceeds the memory of any machine");
    }
    tiles.checkSums(allocatedBytes, activeBytes, requestedBytes, findings);
    devices.computeIfAbsent(device, _ -> new ArrayList<>()).add(segment);
    if (devices.size() > limits.maxDevices()) {
      throw Fields.implausible("segments", "more than " + limits.maxDevices() + " devices");
    }
  }

  private int ordinal(long value) throws FormatException {
    if (host) {
      if (Cell.tag(value) != Cell.NONE
          && fields.integer(value, this, Key.DEVICE) != DeviceSnapshot.PINNED_HOST) {
        throw Fields.malformed(this, Key.DEVICE, "a segment of the host has the device -1");
      }
      return DeviceSnapshot.PINNED_HOST;
    }
    if (Cell.tag(value) == Cell.NONE) {
      return 0;
    }
    long number = fields.nonNegative(value, this, Key.DEVICE);
    if (number > Short.MAX_VALUE) {
      throw Fields.malformed(this, Key.DEVICE, number + " is not a valid device number");
    }
    return (int) number;
  }

  private @Nullable PoolKind kind(long value) throws FormatException {
    if (Cell.tag(value) == Cell.NONE) {
      return null;
    }
    PoolKind kind = knownValues.kind(fields.text(value, this, Key.SEGMENT_TYPE));
    if (kind == null) {
      throw Fields.malformed(
          this, Key.SEGMENT_TYPE, "expected small or large, found another string");
    }
    return kind;
  }

  // If it is not recorded: PyTorch's small segments have 2 MiB.
  private static PoolKind kindOf(long bytes) {
    return bytes <= 2L << 20 ? PoolKind.SMALL : PoolKind.LARGE;
  }
}
