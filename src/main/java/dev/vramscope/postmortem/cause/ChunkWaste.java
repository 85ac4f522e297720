package dev.vramscope.postmortem.cause;

import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.model.pool.ChunkRules;
import java.util.List;
import java.util.Optional;

/**
 * Memory that clients did not request and nobody else can use. XLA's BFC allocator serves a request
 * with a whole chunk, unless half of it or 128 MiB would remain. PyTorch's allocator leaves at most
 * 1 MiB, which counts as rounding.
 *
 * @param bytes what live chunks have beyond the requested bytes; 0 for other allocators
 * @param errorBytes the most by which it may differ, because the file rounds what was requested
 * @param isKnown whether the file says what was requested, for each chunk or for each size class
 */
public record ChunkWaste(long bytes, long errorBytes, boolean isKnown) {
  private static final ChunkWaste NONE = new ChunkWaste(0, 0, /* isKnown= */ true);

  /** What a request is rounded up by at most. */
  private static final long MOST_ROUNDING_BYTES = 255;

  /** The waste of a state; that of a dump without the sizes of requests is in its size classes. */
  public static ChunkWaste of(Request request, AllocatorState state, AllocatorFacts facts) {
    if (request.family() != AllocatorFamily.BFC) {
      return NONE;
    }
    List<Block> live =
        state.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(block -> block.state() == BlockState.ALLOCATED)
            .toList();
    boolean isEachKnown = live.stream().noneMatch(each -> each.requestedBytes() == Block.UNKNOWN);
    Optional<PoolRecord> pool =
        facts.pool().filter(each -> !each.requestedInUse().isEmpty()).filter(_ -> !isEachKnown);
    if (pool.isPresent()) {
      PoolRecord.Requested requested = pool.get().requestedBytes();
      long inUse = live.stream().mapToLong(Block::bytes).sum();
      return new ChunkWaste(
          Math.max(0, inUse - requested.bytes()),
          requested.errorBytes() + MOST_ROUNDING_BYTES * live.size(),
          /* isKnown= */ true);
    }
    return new ChunkWaste(live.stream().mapToLong(ChunkWaste::beyondRequest).sum(), 0, isEachKnown);
  }

  private static long beyondRequest(Block block) {
    return block.requestedBytes() == Block.UNKNOWN
        ? 0
        : Math.max(0, block.bytes() - ChunkRules.rounded(block.requestedBytes()));
  }
}
