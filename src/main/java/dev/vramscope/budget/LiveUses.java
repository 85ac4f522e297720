package dev.vramscope.budget;

import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.budget.Budget.Part;
import dev.vramscope.budget.Budget.SiteBytes;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The live blocks of a state, summed by use and by the place that allocated them. */
final class LiveUses {
  private static final int SITES = 3;
  private static final int NO_FRAME = -1;

  private final StackClasses stacks;
  private final Map<Use, Tally> tallies = new EnumMap<>(Use.class);
  private long parametersByLifetime;
  private long unknownOlderBytes;

  private LiveUses(StackClasses stacks) {
    this.stacks = stacks;
  }

  static LiveUses of(AllocatorState state, Lifetimes lifetimes, StackClasses stacks, Uses uses) {
    Map<Long, Integer> rows = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      if (lifetimes.isActiveAt(row, state.event())) {
        rows.put(lifetimes.address(row), row);
      }
    }
    LiveUses live = new LiveUses(stacks);
    if (state.segments().isEmpty()) {
      // A file without segments: only the events show what is live.
      rows.values().forEach(row -> live.add(lifetimes.bytes(row), 0, row, lifetimes, uses));
      return live;
    }
    for (Segment segment : state.segments()) {
      for (Block block : segment.blocks()) {
        if (block.state() == BlockState.ALLOCATED) {
          long bytes =
              block.requestedBytes() == Block.UNKNOWN ? block.bytes() : block.requestedBytes();
          live.add(bytes, block.stack(), rows.get(block.address()), lifetimes, uses);
        }
      }
    }
    return live;
  }

  /** Adds a block; without a row in the trace, its stack alone tells the use. */
  private void add(
      long bytes, int blockStack, @Nullable Integer row, Lifetimes lifetimes, Uses uses) {
    int stack = row == null ? blockStack : lifetimes.stack(row);
    int partner = row == null ? StackTable.NONE : uses.forwardPartner(row);
    Use use = row == null ? uses.ofStack(stack) : uses.use(row);
    boolean isOlder = row != null && row < lifetimes.liveBeforeCount() && stack == StackTable.NONE;
    boolean isDeclared = row != null && uses.isDeclared(row);
    Tally tally = tallies.computeIfAbsent(use, Tally::new);
    tally.add(bytes, isDeclared);
    int shown = partner == StackTable.NONE ? stack : partner;
    int site = stacks.siteOf(shown);
    int frame = site == StackTable.NONE ? NO_FRAME : stacks.stacks().frameNumber(site);
    PlaceKey key = new PlaceKey(frame, isOlder, partner != StackTable.NONE);
    tally.places.computeIfAbsent(key, Place::new).add(bytes, shown);
    if (row != null && uses.isByLifetime(row)) {
      parametersByLifetime += bytes;
    }
    if (use == Use.NO_STACK && isOlder) {
      unknownOlderBytes += bytes;
    }
  }

  List<Part> parts() {
    return tallies.values().stream().filter(tally -> tally.bytes > 0).map(Tally::part).toList();
  }

  long bytes(Use use) {
    Tally tally = tallies.get(use);
    return tally == null ? 0 : tally.bytes;
  }

  /** The parameters that only their lifetime identifies. */
  long parametersByLifetime() {
    return parametersByLifetime;
  }

  /** Bytes from before the recording without a stack: they may be parameters. */
  long unknownOlderBytes() {
    return unknownOlderBytes;
  }

  /** The sums of one use. */
  private static final class Tally {
    private final Use use;
    private final Map<PlaceKey, Place> places = new HashMap<>();
    private long bytes;
    private int count;
    private int declaredCount;

    Tally(Use use) {
      this.use = use;
    }

    void add(long added, boolean isDeclared) {
      bytes += added;
      count++;
      declaredCount += isDeclared ? 1 : 0;
    }

    Part part() {
      List<SiteBytes> sites = new ArrayList<>(places.values().stream().map(Place::sum).toList());
      sites.sort(
          Comparator.comparingLong(SiteBytes::bytes).reversed().thenComparingInt(SiteBytes::stack));
      boolean isIdentified = use != Use.OTHER && use != Use.NO_STACK;
      return new Part(
          use,
          bytes,
          count,
          isIdentified && declaredCount < count,
          sites.subList(0, Math.min(SITES, sites.size())),
          sites.size());
    }
  }

  /** A frame, or none; memory of the same frame may be older, or that of the backward pass. */
  private record PlaceKey(int frame, boolean isOlder, boolean isBackward) {}

  /** The sum of one place. */
  private static final class Place {
    private final PlaceKey key;
    private long bytes;
    private int count;
    private long largest = -1;
    private int stack;

    Place(PlaceKey key) {
      this.key = key;
    }

    void add(long added, int ofStack) {
      bytes += added;
      count++;
      if (added > largest) {
        largest = added;
        stack = ofStack;
      }
    }

    SiteBytes sum() {
      return new SiteBytes(stack, key.isOlder, key.isBackward, bytes, count);
    }
  }
}
