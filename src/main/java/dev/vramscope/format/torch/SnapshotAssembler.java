package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.format.pickle.Containers;
import dev.vramscope.format.pickle.PickleTexts;
import dev.vramscope.format.pickle.PickleValues;
import dev.vramscope.model.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a snapshot from the containers of one file: assigns a {@link Role} to each when it
 * opens and passes its contents to the rows of that role. Not thread-safe.
 *
 * <pre>
 *   root ─┬─ segments ── segment ─┬─ blocks ── block ─┬─ history ── entry ── frames
 *         │                       └─ frames           └─ frames ── frame
 *         ├─ device_traces ── trace ── event ── frames
 *         ├─ host_segments ── segment, as above
 *         ├─ host_traces ── event, as above: one trace
 *         ├─ allocator_settings ── group
 *         ├─ external_annotations ── annotation
 *         └─ vramscope ─┬─ devices ── device
 *                       └─ findings ── finding
 * </pre>
 */
final class SnapshotAssembler implements Containers, Fields.Row {
  /** Between two checks of the heap. */
  private static final int CHECKED_EACH = 1 << 12;

  private final ReadLimits limits;
  private final PickleValues values;
  private final ListStates lists = new ListStates();
  private final FindingCounter findings = new FindingCounter();
  private final StackRows stacks;
  private final PoolIds pools;
  private final SegmentRows segments;
  private final TraceRows events;
  private final SettingRows settings;
  private final AnnotationRows annotations;
  private final FactRows facts;
  private boolean rootOpened;
  private int opened;
  // Bits of the keys that occurred.
  private long seenKeys;

  SnapshotAssembler(ReadLimits limits) throws FormatException {
    this.limits = limits;
    this.values = new PickleValues(new PickleTexts(limits.encoding().maxTextBytes(), Key.texts()));
    Fields fields = new Fields(values);
    KnownValues knownValues = new KnownValues(values.texts());
    stacks = new StackRows(fields, lists, findings, limits);
    pools = new PoolIds(values, lists);
    segments = new SegmentRows(fields, lists, stacks, pools, knownValues, findings, limits);
    events = new TraceRows(fields, lists, stacks, pools, knownValues, findings, limits);
    settings = new SettingRows(values);
    annotations = new AnnotationRows(fields, lists, knownValues, findings, limits);
    facts = new FactRows(fields, lists);
  }

  PickleValues values() {
    return values;
  }

  FindingCounter findings() {
    return findings;
  }

  @Override
  public long open(
      int kind, long inner, long innerKey, long outer, long outerKey, int pending, int marks)
      throws FormatException {
    Role role = child(kind, outer, outerKey);
    if (role != null) {
      return open(role, outer, outerKey, pending);
    }
    role = child(kind, inner, innerKey);
    if (role != null) {
      return open(role, inner, innerKey, 0);
    }
    if (outer == Cell.ABSENT && inner == Cell.ABSENT && marks == 0 && !rootOpened) {
      rootOpened = true;
      return kind == Cell.DICT ? Role.ROOT.cell(0) : segments.openSegments(Key.SEGMENTS);
    }
    int depth = 1 + Math.max(marks, depth(outer != Cell.ABSENT ? outer : inner));
    if (depth > limits.encoding().maxDepth()) {
      throw new FormatException(
          Reason.MALFORMED,
          "containers are nested deeper than " + limits.encoding().maxDepth(),
          "",
          "The nesting depth of a memory snapshot is 6; check that this is the right file.");
    }
    return (kind == Cell.DICT ? Role.SKIPPED_DICT : Role.SKIPPED_LIST).cell(depth);
  }

  @Override
  public void put(long dict, long[] cells, int from, int to) throws FormatException {
    switch (Role.of(dict)) {
      case EVENT -> {
        for (int i = from; i < to; i += 2) {
          Key key = key(cells[i], events);
          if (!events.put(dict, key, cells[i + 1])) {
            skip(cells[i]);
          }
        }
      }
      case FRAME -> {
        for (int i = from; i < to; i += 2) {
          if (!stacks.put(dict, key(cells[i], stacks), cells[i + 1])) {
            skip(cells[i]);
          }
        }
      }
      case BLOCK -> {
        for (int i = from; i < to; i += 2) {
          if (!segments.blocks().put(dict, key(cells[i], segments.blocks()), cells[i + 1])) {
            skip(cells[i]);
          }
        }
      }
      case HISTORY_ENTRY -> {
        for (int i = from; i < to; i += 2) {
          if (!segments.blocks().putHistory(dict, key(cells[i], segments), cells[i + 1])) {
            skip(cells[i]);
          }
        }
      }
      case SEGMENT -> {
        for (int i = from; i < to; i += 2) {
          if (!segments.put(dict, key(cells[i], segments), cells[i + 1])) {
            skip(cells[i]);
          }
        }
      }
      case ANNOTATION -> {
        for (int i = from; i < to; i += 2) {
          if (!annotations.put(dict, key(cells[i], annotations), cells[i + 1])) {
            skip(cells[i]);
          }
        }
      }
      case SETTINGS -> {
        for (int i = from; i < to; i += 2) {
          key(cells[i], this);
          settings.put(cells[i], cells[i + 1]);
        }
      }
      case SETTINGS_GROUP -> {
        for (int i = from; i < to; i += 2) {
          settings.putInGroup(dict, cells[i], cells[i + 1]);
        }
      }
      case FACTS -> {
        for (int i = from; i < to; i += 2) {
          if (!facts.put(key(cells[i], facts), cells[i + 1])) {
            skip(cells[i]);
          }
        }
      }
      case FACTS_DEVICE -> {
        for (int i = from; i < to; i += 2) {
          if (!facts.putDevice(dict, key(cells[i], facts), cells[i + 1])) {
            skip(cells[i]);
          }
        }
      }
      case FACTS_FINDING -> {
        for (int i = from; i < to; i += 2) {
          if (!facts.putFinding(dict, key(cells[i], facts), cells[i + 1])) {
            skip(cells[i]);
          }
        }
      }
      case ROOT -> {
        for (int i = from; i < to; i += 2) {
          putRoot(cells[i], cells[i + 1]);
        }
      }
      default -> {}
    }
  }

  @Override
  public void append(long list, long[] cells, int from, int to) throws FormatException {
    switch (Role.of(list)) {
      case FRAMES -> stacks.append(list, cells, from, to);
      case TRACE -> events.append(list, cells, from, to);
      case TRACES -> events.appendTraces(list, cells, from, to);
      case SEGMENTS -> segments.append(list, cells, from, to);
      case BLOCKS -> segments.blocks().append(list, cells, from, to);
      case HISTORY -> segments.blocks().appendHistory(list, cells, from, to);
      case ANNOTATIONS -> annotations.append(list, cells, from, to);
      case POOL -> pools.append(list, cells, from, to, this);
      case FACTS_DEVICES, FACTS_FINDINGS -> facts.append(list, to - from);
      default -> {}
    }
  }

  @Override
  public boolean repeat(long list, long earlier) throws FormatException {
    return Role.of(list) == Role.FRAMES && stacks.repeat(list, earlier);
  }

  /** Returns the snapshot after the end of the file, whose top-level value is {@code root}. */
  Snapshot finish(long root, String format) throws FormatException {
    if (Role.SEGMENTS.is(root)) {
      segments.accept(root, this, Key.SEGMENTS);
    } else if (!Role.ROOT.is(root)
        || (seenKeys & (Key.SEGMENTS.bit() | Key.DEVICE_TRACES.bit())) == 0) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          "this is "
              + Cell.describe(root)
              + " without segments and device_traces, not a memory snapshot",
          "top level",
          "Write the snapshot with torch.cuda.memory._dump_snapshot(file).");
    }
    return new SnapshotParts(
            segments, events, settings, annotations, facts, stacks, findings, limits)
        .assemble(format, seenKeys);
  }

  @Override
  public String path() {
    return "snapshot";
  }

  private @Nullable Role child(int kind, long parent, long keyCell) {
    if (parent == Cell.ABSENT) {
      return null;
    }
    Key key = Cell.tag(keyCell) == Cell.TEXT ? Key.ofText(Cell.payload(keyCell)) : Key.UNKNOWN;
    Role role = Role.of(parent);
    return kind == Cell.DICT ? role.dictAt(key) : role.listAt(key);
  }

  private long open(Role role, long parent, long key, int pending) throws FormatException {
    if (++opened % CHECKED_EACH == 0) {
      checkHeap();
    }
    return switch (role) {
      case EVENT -> events.openEvent(parent);
      case FRAMES -> stacks.openList();
      case FRAME -> stacks.openFrame();
      case SEGMENT -> segments.openSegment(parent);
      case BLOCKS -> segments.blocks().openBlocks();
      case BLOCK -> segments.blocks().openBlock(parent);
      case HISTORY -> segments.blocks().openHistory();
      case HISTORY_ENTRY -> segments.blocks().openHistoryEntry();
      case TRACE ->
          Role.TRACES.is(parent) ? events.openTrace(parent, pending) : events.openHostTrace();
      case TRACES -> events.openTraces();
      case SEGMENTS -> segments.openSegments(Key.ofText(Cell.payload(key)));
      case ANNOTATIONS -> annotations.openAnnotations();
      case ANNOTATION -> annotations.openAnnotation();
      case POOL -> pools.openList();
      case SETTINGS -> settings.open();
      case SETTINGS_GROUP -> settings.openGroup(key);
      case FACTS -> facts.open();
      case FACTS_DEVICES, FACTS_FINDINGS -> facts.openList(role);
      case FACTS_DEVICE -> facts.openDevice();
      case FACTS_FINDING -> facts.openFinding();
      case ROOT, SKIPPED_DICT, SKIPPED_LIST ->
          throw new IllegalArgumentException(role + " has no parent");
    };
  }

  /** The limits of each kind of row are such that not all of them fit into the heap together. */
  private void checkHeap() throws FormatException {
    long bytes =
        events.heapBytes()
            + segments.heapBytes()
            + stacks.heapBytes()
            + annotations.heapBytes()
            + values.texts().heapBytes();
    if (bytes > limits.maxHeapBytes()) {
      throw Fields.tooMany(
          "", "more than " + (limits.maxHeapBytes() >> 20) + " MiB of heap for its contents");
    }
  }

  private void putRoot(long keyCell, long value) throws FormatException {
    Key key = key(keyCell, this);
    switch (key) {
      case SEGMENTS, HOST_SEGMENTS -> segments.accept(value, this, key);
      case DEVICE_TRACES -> events.accept(value, this, key);
      case HOST_TRACES -> events.acceptHost(value, this, key);
      case ALLOCATOR_SETTINGS -> settings.accept(value);
      case EXTERNAL_ANNOTATIONS -> annotations.accept(value, this, key);
      case VRAMSCOPE -> {
        if (!Role.FACTS.is(value)) {
          throw Fields.malformed(this, key, "expected a dict, found " + Cell.describe(value));
        }
      }
      default -> skip(keyCell);
    }
  }

  private Key key(long cell, Fields.Row row) throws FormatException {
    if (Cell.tag(cell) != Cell.TEXT) {
      throw Fields.malformed(row.path(), Cell.describe(cell) + " is used as a key");
    }
    Key key = Key.ofText(Cell.payload(cell));
    seenKeys |= key.bit();
    return key;
  }

  private void skip(long key) {
    findings.skippedKey(values.text(key));
  }

  private static int depth(long container) {
    if (container == Cell.ABSENT) {
      return 0;
    }
    Role role = Role.of(container);
    return role == Role.SKIPPED_DICT || role == Role.SKIPPED_LIST
        ? Role.number(container)
        : role.depth();
  }
}
