package dev.vramscope.analysis.segments;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.model.pool.ChunkRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The chunks of a BFC allocator by the bin of their size, and how far its free memory is in pieces.
 *
 * @param bins from the smallest
 * @param fragmentation 1 − largest free chunk / free bytes, of the chunks; empty if nothing is free
 * @param recordedFragmentation the allocator's own {@code fragmentation_metric}, if the file has it
 */
public record PoolBins(
    List<Bin> bins, OptionalDouble fragmentation, OptionalDouble recordedFragmentation) {
  private static final int COUNT = ChunkRules.BIN_COUNT;

  /**
   * The chunks of one bin.
   *
   * @param smallestBytes the smallest size of a chunk in it
   * @param requested what clients requested of those in use; empty if the file does not have it
   */
  public record Bin(
      long smallestBytes,
      int chunksInUse,
      long bytesInUse,
      Optional<PoolRecord.Requested> requested,
      int freeChunks,
      long freeBytes) {
    /** What the chunks in use have beyond their requests; 0 if that is not known. */
    public long beyondRequests() {
      return requested.map(each -> Math.max(0, bytesInUse - each.bytes())).orElse(0L);
    }

    /** Whether it has no chunk. */
    public boolean isEmpty() {
      return chunksInUse + freeChunks == 0;
    }
  }

  public PoolBins {
    bins = List.copyOf(bins);
  }

  /** The bins of the final state. */
  public static PoolBins of(DeviceSnapshot device) {
    long[] numbers = new long[4 * COUNT];
    long[] requested = new long[COUNT];
    boolean isRequestedKnown = true;
    long freeBytes = 0;
    long largestFree = 0;
    List<Block> chunks =
        device.segments().stream().flatMap(segment -> segment.blocks().stream()).toList();
    for (Block chunk : chunks) {
      int bin = ChunkRules.bin(chunk.bytes());
      boolean isInUse = chunk.state() == BlockState.ALLOCATED;
      numbers[4 * bin + (isInUse ? 0 : 2)]++;
      numbers[4 * bin + (isInUse ? 1 : 3)] += chunk.bytes();
      if (isInUse) {
        isRequestedKnown &= chunk.requestedBytes() != Block.UNKNOWN;
        requested[bin] += Math.max(0, chunk.requestedBytes());
      } else {
        freeBytes += chunk.bytes();
        largestFree = Math.max(largestFree, chunk.bytes());
      }
    }
    List<PoolRecord.Requested> recorded =
        device.facts().pool().map(PoolRecord::requestedInUse).orElse(List.of());
    List<Bin> bins = new ArrayList<>();
    for (int bin = 0; bin < COUNT; bin++) {
      bins.add(
          new Bin(
              ChunkRules.smallestBytes(bin),
              (int) numbers[4 * bin],
              numbers[4 * bin + 1],
              isRequestedKnown
                  ? Optional.of(new PoolRecord.Requested(requested[bin], 0))
                  : recorded.size() == COUNT ? Optional.of(recorded.get(bin)) : Optional.empty(),
              (int) numbers[4 * bin + 2],
              numbers[4 * bin + 3]));
    }
    return new PoolBins(
        bins,
        freeBytes == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of((double) (freeBytes - largestFree) / freeBytes),
        device.facts().pool().map(PoolRecord::fragmentation).orElse(OptionalDouble.empty()));
  }
}
