package dev.vramscope.allocator;

import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import java.util.List;

/**
 * One segment at one moment; of an expandable segment, one contiguous mapped run.
 *
 * @param large whether it serves large requests; small ones otherwise
 * @param expandable whether pages can be mapped behind it and unmapped
 * @param registration the how manieth segment this is, from 0
 * @param blocks its blocks in address order; they tile it
 */
public record SegmentView(
    long address,
    long bytes,
    int stream,
    boolean large,
    boolean expandable,
    PoolId pool,
    long registration,
    List<BlockView> blocks) {
  public SegmentView {
    blocks = List.copyOf(blocks);
  }

  public long allocatedBytes() {
    long bytes = 0;
    for (BlockView block : blocks) {
      bytes += block.state() == BlockState.ALLOCATED ? block.bytes() : 0;
    }
    return bytes;
  }

  public long activeBytes() {
    long bytes = 0;
    for (BlockView block : blocks) {
      bytes += block.state().isActive() ? block.bytes() : 0;
    }
    return bytes;
  }

  /** What clients asked for, over active blocks. */
  public long requestedBytes() {
    long bytes = 0;
    for (BlockView block : blocks) {
      bytes += block.state().isActive() ? block.requestedBytes() : 0;
    }
    return bytes;
  }
}
