package dev.vramscope.allocator;

import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import java.util.List;

/**
 * The state of one segment at one moment; of an expandable segment, one contiguous mapped range.
 *
 * @param large whether it serves large requests, otherwise small ones
 * @param expandable whether it is part of an expandable segment, whose pages are mapped and
 *     unmapped
 * @param registration sequence number of the segment, from 0
 * @param blocks its blocks in address order; they cover it without gaps
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

  public long endAddress() {
    return address + bytes;
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

  /** The sum of the requested sizes of active blocks. */
  public long requestedBytes() {
    long bytes = 0;
    for (BlockView block : blocks) {
      bytes += block.state().isActive() ? block.requestedBytes() : 0;
    }
    return bytes;
  }
}
