package dev.vramscope.postmortem.cause;

import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;

/**
 * Memory that clients did not request and nobody else can use. XLA's BFC allocator serves a request
 * with a whole chunk, unless half of it or 128 MiB would remain. PyTorch's allocator leaves at most
 * 1 MiB, which counts as rounding.
 */
public final class ChunkWaste {
  private ChunkWaste() {}

  /** The bytes of live chunks beyond the requested ones; 0 for other allocators. */
  public static long bytes(Request request, AllocatorState state) {
    return request.family() == AllocatorFamily.BFC
        ? state.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(block -> block.state() == BlockState.ALLOCATED)
            .mapToLong(ChunkWaste::beyondRequest)
            .sum()
        : 0;
  }

  private static long beyondRequest(Block block) {
    return block.requestedBytes() == Block.UNKNOWN
        ? 0
        : Math.max(0, block.bytes() - Request.bfcRounded(block.requestedBytes()));
  }
}
