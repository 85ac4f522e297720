package dev.vramscope.postmortem.frees;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.frees.FreePlan.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The smallest memory that the allocator releases: a segment, or a page of an expandable one.
 *
 * @param address first byte, unsigned
 * @param bytes size on the device
 * @param costBytes live bytes to free if the unit before it is not released
 * @param followingCostBytes the same if the unit before it is released, which frees the block that
 *     both share
 */
record ReleaseUnit(
    Segment segment, long address, long bytes, long costBytes, long followingCostBytes) {

  /** The unit of a segment that is not expandable; none if a block cannot be freed. */
  static List<ReleaseUnit> ofPlain(Segment segment, long deviceBytes, Set<Long> keptAddresses) {
    for (Block block : segment.blocks()) {
      if (isFixed(block, keptAddresses)) {
        return List.of();
      }
    }
    long cost = segment.allocatedBytes();
    return List.of(new ReleaseUnit(segment, segment.address(), deviceBytes, cost, cost));
  }

  /** The pages of an expandable segment, in address order, that can become free. */
  static List<ReleaseUnit> ofExpandable(Segment segment, long pageBytes, Set<Long> keptAddresses) {
    List<ReleaseUnit> units = new ArrayList<>();
    List<Block> blocks = segment.blocks();
    int next = 0;
    for (long page = segment.address();
        segment.end() - page >= pageBytes && next < blocks.size();
        page += pageBytes) {
      long end = page + pageBytes;
      boolean isFixed = false;
      long cost = 0;
      long shared = 0;
      int at = next;
      for (; at < blocks.size() && blocks.get(at).address() - end < 0; at++) {
        Block block = blocks.get(at);
        isFixed |= isFixed(block, keptAddresses);
        if (block.state() == BlockState.ALLOCATED) {
          cost += block.bytes();
          shared += block.address() - page < 0 ? block.bytes() : 0;
        }
      }
      // The last block may extend into the next page.
      next = at > next && blocks.get(at - 1).end() - end > 0 ? at - 1 : at;
      if (!isFixed) {
        units.add(new ReleaseUnit(segment, page, pageBytes, cost, cost - shared));
      }
    }
    return units;
  }

  private static boolean isFixed(Block block, Set<Long> keptAddresses) {
    return block.state() == BlockState.PENDING_FREE
        || (block.state() == BlockState.ALLOCATED && keptAddresses.contains(block.address()));
  }

  /** One past the last byte. */
  long end() {
    return address + bytes;
  }

  /** Whether this page begins where {@code before} ends, so that a block may be in both. */
  boolean follows(ReleaseUnit before) {
    return segment.address() == before.segment.address() && address == before.end();
  }

  /** The memory of some units, in address order; adjacent pages become one piece. */
  static List<Piece> pieces(List<ReleaseUnit> units) {
    List<Piece> pieces = new ArrayList<>();
    for (int first = 0; first < units.size(); ) {
      int last = first;
      while (last + 1 < units.size() && units.get(last + 1).follows(units.get(last))) {
        last++;
      }
      ReleaseUnit start = units.get(first);
      long end = units.get(last).end();
      pieces.add(
          new Piece(
              start.segment,
              start.address,
              end - start.address,
              liveBlocks(start.segment.blocks(), start.address, end)));
      first = last + 1;
    }
    return pieces;
  }

  /** The live blocks that overlap a range, found from the first that ends in it. */
  private static List<Block> liveBlocks(List<Block> blocks, long from, long to) {
    int low = 0;
    int high = blocks.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (blocks.get(middle).end() - from > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    List<Block> live = new ArrayList<>();
    for (int i = low; i < blocks.size() && blocks.get(i).address() - to < 0; i++) {
      if (blocks.get(i).state() == BlockState.ALLOCATED) {
        live.add(blocks.get(i));
      }
    }
    return live;
  }
}
