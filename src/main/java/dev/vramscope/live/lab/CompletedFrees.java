package dev.vramscope.live.lab;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.BlockState;
import java.util.ArrayList;
import java.util.List;

/**
 * A state after frees that waited for streams have completed: the caching allocator completes them
 * when a request comes, before it searches its free blocks.
 */
final class CompletedFrees {
  private CompletedFrees() {}

  /** The segments with these blocks free, and coalesced with their free neighbours. */
  static List<SegmentView> of(List<SegmentView> segments, List<Long> completed) {
    if (completed.isEmpty()) {
      return segments;
    }
    return segments.stream()
        .map(
            segment ->
                new SegmentView(
                    segment.address(),
                    segment.bytes(),
                    segment.stream(),
                    segment.large(),
                    segment.expandable(),
                    segment.pool(),
                    segment.registration(),
                    coalesced(segment.blocks(), completed)))
        .toList();
  }

  private static List<BlockView> coalesced(List<BlockView> blocks, List<Long> completed) {
    List<BlockView> joined = new ArrayList<>();
    for (BlockView block : blocks) {
      boolean isFree =
          block.state() == BlockState.INACTIVE
              || (block.state() == BlockState.PENDING_FREE && completed.contains(block.address()));
      BlockView last = joined.isEmpty() ? null : joined.getLast();
      if (isFree && last != null && last.state() == BlockState.INACTIVE) {
        joined.removeLast();
        joined.add(free(last.address(), last.bytes() + block.bytes(), block.stream()));
      } else {
        joined.add(isFree ? free(block.address(), block.bytes(), block.stream()) : block);
      }
    }
    return joined;
  }

  private static BlockView free(long address, long bytes, int stream) {
    return new BlockView(0, address, bytes, 0, stream, BlockState.INACTIVE);
  }
}
