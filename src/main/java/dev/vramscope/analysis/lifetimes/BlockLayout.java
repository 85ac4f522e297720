package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Places the allocations that are live at a moment into the segments of that moment. */
final class BlockLayout {
  private final Lifetimes lifetimes;
  private final SizeRules sizes;
  private final int event;
  private final SegmentMap segments;
  private final int[] live;
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
    live = liveByAddress();
  }

  private int[] liveByAddress() {
    return Arrays.stream(lifetimes.activeAt(event))
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
    outside += live.length - next;
    return new AllocatorState(event, filled, estimated, ambiguous, findings());
  }

  private List<Block> blocksOf(Segment segment) {
    List<Block> blocks = new ArrayList<>();
    skipBelow(segment.address());
    long cursor = segment.address();
    while (next < live.length && isBelow(lifetimes.address(live[next]), segment.end())) {
      int row = live[next++];
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
    while (next < live.length && isBelow(lifetimes.address(live[next]), address)) {
      outside++;
      next++;
    }
  }

  /** The address of the next allocation in the segment, or the end of the segment. */
  private long limit(Segment segment) {
    long following = next < live.length ? lifetimes.address(live[next]) : segment.end();
    return isBelow(following, segment.end()) ? following : segment.end();
  }

  private long blockBytes(Segment segment, int row, long available) {
    boolean isInFinalState = lifetimes.endEvent(row) == Lifetimes.NEVER;
    long recordedBytes = isInFinalState ? lifetimes.allocatedBytes(row) : Lifetimes.UNKNOWN;
    if (recordedBytes != Lifetimes.UNKNOWN && recordedBytes <= available) {
      return recordedBytes;
    }
    long rounded = SizeRules.clamped(sizes.roundedBytes(lifetimes.bytes(row)));
    if (rounded > available) {
      overlapping++;
      return Math.max(1, available);
    }
    long gap = available - rounded;
    if (segment.expandable() || gap == 0) {
      return rounded;
    }
    long tail = sizes.maxUnsplitRemainder(segment.kind(), segment.expandable(), rounded);
    if (gap <= tail) {
      return available;
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
    List<Finding> findings = new ArrayList<>();
    add(findings, FindingKind.SEGMENT_EVENT_MISMATCH, segments.mismatches());
    add(findings, FindingKind.BLOCK_OUTSIDE_SEGMENT, outside);
    add(findings, FindingKind.BLOCK_OVERLAP, overlapping);
    return findings;
  }

  private void add(List<Finding> findings, FindingKind kind, long count) {
    if (count > 0) {
      findings.add(kind.finding(count, event, count));
    }
  }
}
