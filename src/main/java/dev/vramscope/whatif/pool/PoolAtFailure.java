package dev.vramscope.whatif.pool;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.model.pool.ChunkRules;
import java.util.List;
import java.util.OptionalLong;

/**
 * The pool of a BFC allocator when a request failed.
 *
 * @param regions with all chunks
 * @param requestBytes the failed request, rounded
 * @param limitBytes the most that the pool may have, if it is known
 * @param deviceBytes what the device has for the pool at most, if it is known
 * @param wasteBytes what the chunks in use have beyond their requests
 * @param wasteErrorBytes the most by which that may differ
 * @param isWasteKnown whether the file has what was requested, of chunks or of size classes
 */
public record PoolAtFailure(
    List<Segment> regions,
    long requestBytes,
    OptionalLong limitBytes,
    OptionalLong deviceBytes,
    long wasteBytes,
    long wasteErrorBytes,
    boolean isWasteKnown) {
  public PoolAtFailure {
    regions = List.copyOf(regions);
  }

  /** The sum of all chunks. */
  long poolBytes() {
    return regions.stream().mapToLong(Segment::bytes).sum();
  }

  /** The chunks that the program holds. */
  List<Block> live() {
    return regions.stream()
        .flatMap(region -> region.blocks().stream())
        .filter(block -> block.state() == BlockState.ALLOCATED)
        .toList();
  }

  /** Whether the request of each chunk in use is known. */
  boolean isEachRequestKnown() {
    return live().stream().noneMatch(each -> each.requestedBytes() == Block.UNKNOWN);
  }

  /** Whether the pool is one region that is as large as it may be, as if allocated at once. */
  boolean isPreallocated() {
    return regions.size() == 1 && poolBytes() >= ChunkRules.wholeUnits(limitBytes().orElse(0));
  }
}
