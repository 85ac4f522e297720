package dev.vramscope.analysis;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Finding;
import dev.vramscope.model.Finding.Severity;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Lays the allocations that are alive at a moment into its segments. */
final class BlockLayout {
  private final Lifetimes lifetimes;
  private final SizeRules sizes;
  private final int event;
  private final SegmentMap segments;
  private final int[] alive;
  private int next;
  private long estimated;
  private long ambiguous;
  private long overlapping;
  private long outside;

  BlockLayout(Lifetimes lifetimes, SizeRules sizes, int event, SegmentMap segments) {
    this.lifetimes = lifetimes;
    this.sizes = sizes;
    this.event = event;
    this.segments = segments;
    alive = aliveByAddress();
  }

  private int[] aliveByAddress() {
    int[] found = new int[64];
    int count = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      if (lifetimes.isActiveAt(row, event)) {
        if (count == found.length) {
          found = Arrays.copyOf(found, count * 2);
        }
        found[count++] = row;
      }
    }
    return Arrays.stream(found, 0, count)
        .boxed()
        .sorted((a, b) -> Long.compareUnsigned(lifetimes.address(a), lifetimes.address(b)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  AllocatorState state() {
    List<Segment> filled = new ArrayList<>();
    for (Segment segment : segments.segments()) {
      filled.add(
          new Segment(
              segment.address(),
              segment.bytes(),
              segment.stream(),
              segment.kind(),
              segment.pool(),
              segment.expandable(),
              segment.stack(),
              blocksOf(segment)));
    }
    outside += alive.length - next;
    return new AllocatorState(event, filled, estimated, ambiguous, findings());
  }

  private List<Block> blocksOf(Segment segment) {
    List<Block> blocks = new ArrayList<>();
    skipBelow(segment.address());
    long cursor = segment.address();
    while (next < alive.length && isBelow(lifetimes.address(alive[next]), segment.end())) {
      int row = alive[next++];
      long address = lifetimes.address(row);
      if (isBelow(address, cursor)) {
        overlapping++;
        continue;
      }
      addFree(blocks, cursor, address);
      long limit = limit(segment);
      long bytes = blockBytes(segment, row, limit - address);
      blocks.add(
          new Block(
              address,
              bytes,
              lifetimes.requestedBytes(row),
              lifetimes.isPendingAt(row, event) ? BlockState.PENDING_FREE : BlockState.ALLOCATED,
              lifetimes.stack(row)));
      cursor = address + bytes;
    }
    addFree(blocks, cursor, segment.end());
    return blocks;
  }

  private void skipBelow(long address) {
    while (next < alive.length && isBelow(lifetimes.address(alive[next]), address)) {
      outside++;
      next++;
    }
  }

  /** Where the next allocation of the segment begins, or the segment ends. */
  private long limit(Segment segment) {
    long following = next < alive.length ? lifetimes.address(alive[next]) : segment.end();
    return isBelow(following, segment.end()) ? following : segment.end();
  }

  private long blockBytes(Segment segment, int row, long room) {
    boolean isShown = lifetimes.endEvent(row) == Lifetimes.NEVER;
    long known = isShown ? lifetimes.allocatedBytes(row) : Lifetimes.UNKNOWN;
    if (known != Lifetimes.UNKNOWN && known <= room) {
      return known;
    }
    long rounded = SizeRules.clamped(sizes.roundedBytes(lifetimes.bytes(row)));
    if (rounded > room) {
      overlapping++;
      return Math.max(1, room);
    }
    long gap = room - rounded;
    if (segment.expandable() || gap == 0) {
      return rounded;
    }
    long tail = sizes.maxUnsplitRemainder(segment.kind(), segment.expandable(), rounded);
    if (gap <= tail) {
      return room;
    }
    if (segment.kind() == PoolKind.LARGE) {
      estimated++;
      ambiguous += Math.min(tail, gap - tail);
    }
    return rounded;
  }

  private static void addFree(List<Block> blocks, long from, long to) {
    if (isBelow(from, to)) {
      blocks.add(new Block(from, to - from, Block.UNKNOWN, BlockState.INACTIVE, StackTable.NONE));
    }
  }

  private static boolean isBelow(long address, long other) {
    return Long.compareUnsigned(address, other) < 0;
  }

  private List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    add(found, "segment-event-mismatch", segments.mismatches(), "Segment events that do not fit");
    add(found, "block-outside-segment", outside, "Allocations outside of every segment");
    add(found, "block-overlap", overlapping, "Allocations that overlap the next one");
    return found;
  }

  private void add(List<Finding> found, String code, long count, String what) {
    if (count > 0) {
      found.add(
          new Finding(
              Severity.WARNING,
              code,
              String.format(
                  Locale.ROOT,
                  "%s while walking back to event %d: %,d; the state there is approximate.",
                  what,
                  event,
                  count),
              count));
    }
  }
}
