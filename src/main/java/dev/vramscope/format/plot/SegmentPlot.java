package dev.vramscope.format.plot;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.ByteSize;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.LongColumn;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The data of {@code segment_plot}: the events, segments and live blocks of one device, as columns.
 * The rest of a segment is inactive. A pair of free events in a row was folded into {@code free};
 * it becomes two events again.
 */
final class SegmentPlot {
  /** Segments of the small pool have this size in every release, and those of the other more. */
  private static final long SMALL_SEGMENT = 2L << 20;

  /** Sums of fewer bytes cannot overflow. */
  private static final long MAX_TOTAL = 1L << 61;

  private final PlotTables tables;
  private final ReadLimits limits;
  private final PlotStacks stacks;
  private long total;

  SegmentPlot(PlotTables tables, ReadLimits limits) throws FormatException {
    this.tables = tables;
    this.limits = limits;
    stacks = new PlotStacks(tables, limits);
    tables.requireSameLength(
        "events.action", "events.addr", "events.size", "events.stream", "events.frames");
    tables.requireSameLength("segments.addr", "segments.size", "segments.stream");
    tables.requireSameLength(
        "blocks.addr", "blocks.size", "blocks.real_size", "blocks.frames", "blocks.pending_free");
  }

  Snapshot snapshot() throws FormatException {
    Trace trace = trace();
    List<Segment> segments = segments();
    if (trace.isEmpty() && segments.isEmpty()) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          "the page has neither events nor segments",
          "trace_data",
          PlotPageReader.NEXT);
    }
    return new Snapshot(
        new Origin("page of segment_plot (HTML, 2023)", "PyTorch 2.0", Trace.NO_TIME),
        Optional.empty(),
        List.of(new DeviceSnapshot(0, segments, trace, List.of())),
        stacks.build(),
        List.of(FindingKind.PLOT_SEGMENTS.finding(1)));
  }

  private Trace trace() throws FormatException {
    Trace.Builder trace = new Trace.Builder();
    LongColumn actions = tables.column("events.action");
    for (int row = 0; row < actions.size(); row++) {
      String name = action(actions.get(row), row);
      long size = bytes(tables.column("events.size").get(row), "events.size[" + row + "]");
      if (name.equals("free")) {
        add(trace, TraceAction.FREE_REQUESTED, name, row, size);
        add(trace, TraceAction.FREE_COMPLETED, name, row, size);
      } else {
        add(trace, TraceAction.ofTorchName(name), name, row, size);
      }
    }
    return trace.build();
  }

  private String action(long text, int row) throws FormatException {
    if (text < 0 || text >= tables.textCount()) {
      throw PlotTables.malformed("an event without an action", "events.action[" + row + "]");
    }
    return tables.text((int) text);
  }

  private void add(Trace.Builder trace, TraceAction action, String name, int row, long size)
      throws FormatException {
    long address = tables.column("events.addr").get(row);
    int event = trace.add(action, action == TraceAction.OOM ? 0 : address, size);
    if (action == TraceAction.OOM) {
      trace.oom(event, size, Math.max(PlotTables.NONE, address)); // What was free on the device.
    } else if (action == TraceAction.OTHER) {
      trace.otherAction(event, name);
    }
    trace.stream(event, Math.max(0, tables.column("events.stream").get(row)));
    long frames = tables.column("events.frames").get(row);
    if (frames != PlotTables.NONE) {
      trace.stack(event, stacks.stack(frames));
    }
  }

  private long bytes(long size, String where) throws FormatException {
    total += Math.clamp(size, 0, ByteSize.MAX_BYTES);
    if (size < 0 || size > ByteSize.MAX_BYTES || total > MAX_TOTAL) {
      throw PlotTables.malformed("a size of " + size + " bytes", where);
    }
    return size;
  }

  private List<Segment> segments() throws FormatException {
    LongColumn starts = tables.column("segments.addr");
    if ((long) starts.size() + tables.column("blocks.addr").size() > limits.maxBlocks() / 2) {
      throw PlotTables.tooMany("segments and blocks", limits.maxBlocks() / 2);
    }
    NavigableMap<Long, Block> live = liveBlocks();
    List<Segment> segments = new ArrayList<>();
    for (int row = 0; row < starts.size(); row++) {
      long bytes = bytes(tables.column("segments.size").get(row), "segments.size[" + row + "]");
      segments.add(
          new Segment(
              starts.get(row),
              bytes,
              Math.max(0, tables.column("segments.stream").get(row)),
              bytes == SMALL_SEGMENT ? PoolKind.SMALL : PoolKind.LARGE,
              PoolId.DEFAULT,
              /* expandable= */ false,
              StackTable.NONE,
              blocks(starts.get(row), bytes, live)));
    }
    segments.sort(Comparator.comparing(Segment::address, Long::compareUnsigned));
    for (int i = 1; i < segments.size(); i++) {
      if (Long.compareUnsigned(segments.get(i - 1).end(), segments.get(i).address()) > 0) {
        throw PlotTables.malformed("segments overlap", "segments");
      }
    }
    if (!live.isEmpty()) {
      throw PlotTables.malformed("a block is in no segment", "blocks");
    }
    return segments;
  }

  private NavigableMap<Long, Block> liveBlocks() throws FormatException {
    NavigableMap<Long, Block> live = new TreeMap<>(Long::compareUnsigned);
    LongColumn addresses = tables.column("blocks.addr");
    for (int row = 0; row < addresses.size(); row++) {
      long frames = tables.column("blocks.frames").get(row);
      long bytes = bytes(tables.column("blocks.size").get(row), "blocks.size[" + row + "]");
      long requested = tables.column("blocks.real_size").get(row);
      boolean isPending = tables.column("blocks.pending_free").get(row) == 1;
      live.put(
          addresses.get(row),
          new Block(
              addresses.get(row),
              bytes,
              requested < 0 || requested > bytes ? Block.UNKNOWN : requested,
              isPending ? BlockState.PENDING_FREE : BlockState.ALLOCATED,
              frames == PlotTables.NONE ? StackTable.NONE : stacks.stack(frames)));
    }
    return live;
  }

  /** Takes the blocks of a segment out of the live ones; what is between them is inactive. */
  private static List<Block> blocks(long start, long bytes, NavigableMap<Long, Block> live)
      throws FormatException {
    List<Block> blocks = new ArrayList<>();
    long at = start;
    long end = start + bytes;
    Map.Entry<Long, Block> next = live.ceilingEntry(start);
    while (next != null && Long.compareUnsigned(next.getKey(), end) < 0) {
      Block block = next.getValue();
      if (Long.compareUnsigned(block.address(), at) < 0
          || Long.compareUnsigned(block.end(), end) > 0
          || block.bytes() == 0) {
        throw PlotTables.malformed("blocks overlap, or reach beyond their segment", "blocks");
      }
      addInactive(blocks, at, block.address());
      blocks.add(block);
      at = block.end();
      live.remove(block.address());
      next = live.ceilingEntry(at);
    }
    addInactive(blocks, at, end);
    return blocks;
  }

  private static void addInactive(List<Block> blocks, long from, long to) {
    if (to != from) {
      blocks.add(new Block(from, to - from, Block.UNKNOWN, BlockState.INACTIVE, StackTable.NONE));
    }
  }
}
