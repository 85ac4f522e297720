package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.RestoredSegment;
import dev.vramscope.model.Block;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the differences between a recording and its replay show about the state before the first
 * event: which segments are older, and how long blocks are. Each round of replaying learns from the
 * one before it.
 */
final class StartEvidence {
  private final InitialState assumed;
  private final AgeOrder ages;
  private final Map<Long, UncertainEnd> byEnd = new HashMap<>();
  private final Map<Long, UncertainEnd> byAddress = new HashMap<>();

  /** The least bytes by which blocks are longer than assumed, by their address. */
  private final Map<Long, Long> longer = new HashMap<>();

  private boolean learned;

  StartEvidence(InitialState assumed) {
    this.assumed = assumed;
    ages = new AgeOrder(assumed.segments());
    beginRound();
  }

  private void beginRound() {
    learned = false;
    byEnd.clear();
    byAddress.clear();
    for (UncertainEnd end : assumed.uncertainEnds()) {
      byEnd.put(end.end() + longer.getOrDefault(end.address(), 0L), end);
      byAddress.put(end.address(), end);
    }
  }

  /** Learns from two equal free blocks: the recording took the first and the replay the second. */
  void equalBlocks(long recordedAddress, long replayedAddress) {
    learned |= ages.learn(recordedAddress, replayedAddress);
  }

  /**
   * A free block did not serve a request in the recording, although it would have been the best
   * one. So it is shorter there: the block before it is longer.
   *
   * @param bytes the rounded size of the request
   */
  void tooShort(long freeAddress, long freeBytes, long bytes) {
    UncertainEnd end = byEnd.get(freeAddress);
    long missingBytes = freeBytes - bytes + SizeRules.MIN_BLOCK_BYTES;
    if (end != null
        && byAddress.containsKey(end.address())
        && missingBytes > 0
        && freeAddress + missingBytes <= end.limit()) {
      longer.put(end.address(), freeAddress + missingBytes - end.end());
      byEnd.remove(freeAddress);
      learned = true;
    }
  }

  /** A block was freed: what follows at its address is known from the replay. */
  void freed(long address) {
    byAddress.remove(address);
  }

  /** Whether the last round showed anything new. */
  boolean hasLearned() {
    return learned;
  }

  /** The initial state that agrees with all that was learned; begins the next round. */
  InitialState next() {
    List<RestoredSegment> segments = ages.oldestFirst().stream().map(this::corrected).toList();
    beginRound();
    return new InitialState(segments, assumed.uncertainEnds(), assumed.droppedSegments());
  }

  private RestoredSegment corrected(RestoredSegment segment) {
    if (segment.blocks().stream().noneMatch(block -> longer.containsKey(block.address()))) {
      return segment;
    }
    List<Block> blocks = new ArrayList<>();
    long start = segment.address();
    for (Block block : segment.blocks()) {
      long bytes =
          block.end() - start + (block.isActive() ? longer.getOrDefault(block.address(), 0L) : 0);
      blocks.add(new Block(start, bytes, block.requestedBytes(), block.state(), block.stack()));
      start += bytes;
    }
    return new RestoredSegment(
        segment.address(),
        segment.stream(),
        segment.kind(),
        segment.pool(),
        segment.expandable(),
        blocks);
  }
}
