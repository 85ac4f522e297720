package dev.vramscope.whatif;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.Block;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The sizes of blocks that were live before the first event and freed later.
 *
 * <p>In a large plain segment such a block may be up to 1 MiB longer than its rounded request. A
 * request is always served from the front of a free block. So the first placement behind the block,
 * while that is still live, shows where it ends:
 *
 * <pre>
 *   before      | live, at least 5 MiB  ?......... free .........|
 *   placement   | live, in fact 5.5 MiB  | placed |     free     |
 * </pre>
 */
final class BlockEnds {
  private final SizeRules sizes;
  private final Set<Long> knownAddresses = new HashSet<>();
  private final Map<Long, UncertainEnd> byAddress = new HashMap<>();
  private final TreeMap<Long, UncertainEnd> byEnd = new TreeMap<>();
  private final Map<Long, Long> foundBytes = new HashMap<>();
  private final List<Segment> segments;

  BlockEnds(Trace trace, Lifetimes lifetimes, SizeRules sizes, List<Segment> estimated) {
    this.sizes = sizes;
    for (int row = 0; row < lifetimes.liveBeforeCount(); row++) {
      if (lifetimes.endEvent(row) == Lifetimes.NEVER) {
        knownAddresses.add(lifetimes.address(row));
      }
    }
    estimated.forEach(this::addUncertainEnds);
    if (!byEnd.isEmpty()) {
      scan(trace);
    }
    segments = estimated.stream().map(this::withFoundEnds).toList();
  }

  private void addUncertainEnds(Segment segment) {
    if (segment.expandable() || segment.kind() == PoolKind.SMALL) {
      return;
    }
    for (int i = 0; i + 1 < segment.blocks().size(); i++) {
      Block block = segment.blocks().get(i);
      Block next = segment.blocks().get(i + 1);
      if (block.isActive() && !next.isActive() && !knownAddresses.contains(block.address())) {
        long remainder =
            sizes.maxUnsplitRemainder(segment.kind(), segment.expandable(), block.bytes());
        // A free block of a large segment is longer than the remainder, or it is none.
        long limit = block.end() + Math.min(remainder, Math.max(0, next.bytes() - remainder));
        UncertainEnd end = new UncertainEnd(block.address(), block.end(), limit);
        byAddress.put(end.address(), end);
        byEnd.put(end.end(), end);
      }
    }
  }

  private void scan(Trace trace) {
    Set<Long> freed = new HashSet<>();
    for (int event = 0; event < trace.size(); event++) {
      long address = trace.address(event);
      switch (trace.action(event)) {
        case ALLOC -> {
          Map.Entry<Long, UncertainEnd> before = byEnd.floorEntry(address);
          if (before != null
              && address <= before.getValue().limit()
              && !freed.contains(before.getValue().address())) {
            foundBytes.put(before.getValue().address(), address - before.getValue().address());
            byEnd.remove(before.getKey());
          }
        }
        case FREE_REQUESTED, FREE_COMPLETED -> {
          if (byAddress.containsKey(address)) {
            freed.add(address);
          }
        }
        default -> {
          // Places no block.
        }
      }
    }
  }

  private Segment withFoundEnds(Segment segment) {
    if (segment.blocks().stream().noneMatch(block -> foundBytes.containsKey(block.address()))) {
      return segment;
    }
    List<Block> blocks = new ArrayList<>();
    long start = segment.address();
    for (Block block : segment.blocks()) {
      Long foundSize = block.isActive() ? foundBytes.get(block.address()) : null;
      long bytes = foundSize == null ? block.end() - start : foundSize;
      if (bytes > 0) {
        blocks.add(new Block(start, bytes, block.requestedBytes(), block.state(), block.stack()));
      }
      start += bytes;
    }
    return new Segment(
        segment.address(),
        segment.bytes(),
        segment.stream(),
        segment.kind(),
        segment.pool(),
        segment.expandable(),
        segment.stack(),
        blocks);
  }

  /** The segments with the block sizes that were found. */
  List<Segment> segments() {
    return segments;
  }

  /** The blocks whose end remains unknown. */
  List<UncertainEnd> uncertain() {
    return byEnd.values().stream().filter(end -> end.limit() > end.end()).toList();
  }
}
