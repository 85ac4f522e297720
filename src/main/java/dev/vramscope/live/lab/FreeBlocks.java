package dev.vramscope.live.lab;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The free blocks of a state, for the explanation of a search. */
final class FreeBlocks {
  /** A free block with its segment. */
  record Free(SegmentView segment, BlockView block) {}

  private final List<Free> all = new ArrayList<>();

  FreeBlocks(List<SegmentView> segments) {
    for (SegmentView segment : segments) {
      for (BlockView block : segment.blocks()) {
        if (block.state() == BlockState.INACTIVE) {
          all.add(new Free(segment, block));
        }
      }
    }
    all.sort(
        Comparator.comparingLong((Free free) -> free.block().bytes())
            .thenComparingLong(free -> free.segment().registration())
            .thenComparingLong(free -> free.block().address()));
  }

  /** The blocks of BFC's only pool, smallest first. */
  List<Free> all() {
    return all;
  }

  /** The blocks that a request to a caching allocator may use, smallest first. */
  List<Free> of(long roundedBytes, int stream) {
    return ofPool(roundedBytes).stream().filter(free -> free.segment().stream() == stream).toList();
  }

  /** The blocks of other streams in the pool of a request. */
  List<Free> ofOtherStreams(long roundedBytes, int stream) {
    return ofPool(roundedBytes).stream().filter(free -> free.segment().stream() != stream).toList();
  }

  private List<Free> ofPool(long roundedBytes) {
    boolean isLarge = !SizeRules.isSmall(roundedBytes);
    return all.stream().filter(free -> free.segment().large() == isLarge).toList();
  }

  /** The free block at an address. */
  Optional<Free> at(long address) {
    return all.stream()
        .filter(free -> free.block().address() <= address && address < free.block().endAddress())
        .findFirst();
  }

  /** The bytes of the largest; 0 if there is none. */
  static long largestBytes(List<Free> blocks) {
    return blocks.isEmpty() ? 0 : blocks.getLast().block().bytes();
  }
}
