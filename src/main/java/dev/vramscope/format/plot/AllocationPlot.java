package dev.vramscope.format.plot;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.AllocatorFacts;
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
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The data of {@code trace_plot} and {@code profile_plot} as requests and frees.
 *
 * <pre>
 *   elements              size, and lines: a heading, notes in angle brackets or with a colon, stack
 *   initially_allocated   elements that were live before
 *   actions               elements: the first time each is allocated, the second time freed; those
 *                         that were live before are freed the first time
 * </pre>
 *
 * Headings of 2023 begin with the address; those of 2022 do not, and each element gets a number
 * instead. What is live at the end becomes a block in a segment of its own: nothing is known of the
 * allocator's segments.
 */
final class AllocationPlot {
  private static final Pattern ADDRESS =
      Pattern.compile("([bs])([0-9a-f]{1,16})_[0-9]{1,9} .*", Pattern.DOTALL);

  /** Lines between the heading and the stack. */
  private static final Pattern NOTE =
      Pattern.compile("alloc not recorded, stack trace for free:|<block was allocated before .*>");

  private static final String NOT_RECORDED = "alloc not recorded";
  private static final long FIRST_NUMBER = 1L << 40;
  private static final int MAX_LINES_BEFORE = 2;

  /** Sums of fewer bytes cannot overflow. */
  private static final long MAX_TOTAL = 1L << 61;

  /** What is known of an element. */
  private enum State {
    UNUSED,
    BEFORE,
    LIVE,
    FREED
  }

  private final PlotTables tables;
  private final ReadLimits limits;
  private final PlotStacks stacks;
  private final LongColumn sizes;
  private final LongColumn infos;
  private final State[] states;
  private final long[] addresses;
  private final int[] stackOf;
  private final boolean[] isStackOfFree;
  private boolean isAddressed = true;
  private int stacked;

  AllocationPlot(PlotTables tables, ReadLimits limits) throws FormatException {
    this.tables = tables;
    this.limits = limits;
    stacks = new PlotStacks(tables, limits);
    // Objects in 2022, columns later.
    String prefix = tables.column("elements.size").size() > 0 ? "elements." : "elements_";
    tables.requireSameLength(prefix + "size", prefix + "info");
    sizes = tables.column(prefix + "size");
    infos = tables.column(prefix + "info");
    states = new State[sizes.size()];
    addresses = new long[sizes.size()];
    stackOf = new int[sizes.size()];
    isStackOfFree = new boolean[sizes.size()];
  }

  Snapshot snapshot() throws FormatException {
    readElements();
    LongColumn before = tables.column("initially_allocated");
    for (int i = 0; i < before.size(); i++) {
      states[element(before.get(i), "initially_allocated", i)] = State.BEFORE;
    }
    Trace trace = trace();
    if (trace.isEmpty() && before.size() == 0) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT, "the page has no allocation", "alloc_data", PlotPageReader.NEXT);
    }
    DeviceSnapshot device =
        new DeviceSnapshot(
            0,
            liveAtEnd(),
            trace,
            List.of(),
            AllocatorFacts.ofRequests(OptionalLong.empty(), Optional.empty()));
    return new Snapshot(
        new Origin("page of trace_plot (HTML, 2022 or 2023)", "PyTorch 2.0", Trace.NO_TIME),
        Optional.empty(),
        List.of(device),
        stacks.build(),
        findings());
  }

  private void readElements() throws FormatException {
    long total = 0;
    long next = FIRST_NUMBER;
    for (int element = 0; element < sizes.size(); element++) {
      long size = sizes.get(element);
      total += Math.clamp(size, 0, ByteSize.MAX_BYTES);
      if (size < 0 || size > ByteSize.MAX_BYTES || total > MAX_TOTAL) {
        throw PlotTables.malformed("an allocation of " + size + " bytes", "element " + element);
      }
      states[element] = State.UNUSED;
      addresses[element] = next;
      next += Math.max(1, size);
      readLines(element);
    }
  }

  private void readLines(int element) throws FormatException {
    long row = infos.get(element);
    if (row == PlotTables.NONE) {
      isAddressed = false;
      return;
    }
    Matcher address = ADDRESS.matcher(stacks.text(row));
    if (!address.matches()) {
      isAddressed = false;
    } else if (address.group(1).equals("s")) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          "this page was drawn with plot_segments: it has the segments over time, and not what was"
              + " allocated in them",
          "element " + element,
          "Upload the pickle that it was made of, or a page without plot_segments.");
    } else {
      addresses[element] = Long.parseUnsignedLong(address.group(2), 16);
    }
    row = stacks.rest(row);
    for (int line = 1; line < MAX_LINES_BEFORE && row != PlotTables.NONE; line++) {
      String note = stacks.text(row);
      if (NOTE.matcher(note).matches()) {
        isStackOfFree[element] = note.startsWith(NOT_RECORDED);
        row = stacks.rest(row);
      }
    }
    stackOf[element] = row == PlotTables.NONE ? StackTable.NONE : stacks.stack(row);
    stacked += stackOf[element] == StackTable.NONE ? 0 : 1;
  }

  private int element(long number, String list, int index) throws FormatException {
    if (number < 0 || number >= sizes.size()) {
      throw PlotTables.malformed(
          "there is no element " + number + " of " + sizes.size(), list + "[" + index + "]");
    }
    return (int) number;
  }

  private Trace trace() throws FormatException {
    Trace.Builder trace = new Trace.Builder();
    LongColumn actions = tables.column("actions");
    for (int i = 0; i < actions.size(); i++) {
      int element = element(actions.get(i), "actions", i);
      boolean isFree =
          switch (states[element]) {
            case UNUSED -> false;
            case BEFORE, LIVE -> true;
            case FREED ->
                throw PlotTables.malformed(
                    "element " + element + " ends twice", "actions[" + i + "]");
          };
      int event =
          trace.add(
              isFree ? TraceAction.FREE_COMPLETED : TraceAction.ALLOC,
              addresses[element],
              sizes.get(element));
      // The page has one stack for each: that of the allocation, if it was recorded.
      if (isFree == isStackOfFree[element]) {
        trace.stack(event, stackOf[element]);
      }
      states[element] = isFree ? State.FREED : State.LIVE;
    }
    return trace.build();
  }

  private List<Segment> liveAtEnd() throws FormatException {
    List<Segment> live = new ArrayList<>();
    for (int element = 0; element < states.length; element++) {
      boolean isLive = states[element] == State.LIVE || states[element] == State.BEFORE;
      if (isLive && sizes.get(element) > 0) {
        long bytes = sizes.get(element);
        Block block =
            new Block(addresses[element], bytes, bytes, BlockState.ALLOCATED, stackOf[element]);
        live.add(
            new Segment(
                block.address(),
                bytes,
                0,
                PoolKind.LARGE,
                PoolId.DEFAULT,
                /* expandable= */ false,
                StackTable.NONE,
                List.of(block)));
      }
    }
    if (live.size() > limits.maxBlocks()) {
      throw PlotTables.tooMany("live allocations", limits.maxBlocks());
    }
    live.sort(Comparator.comparing(Segment::address, Long::compareUnsigned));
    return live;
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(FindingKind.PLOT_PAGE.finding(1));
    if (!isAddressed) {
      findings.add(FindingKind.PLOT_ADDRESSES.finding(1));
    }
    if (stacked == 0) {
      findings.add(FindingKind.PLOT_STACKS.finding(1));
    }
    return findings;
  }
}
