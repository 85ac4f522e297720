package dev.vramscope.format.xla;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The chunks of a BFC allocator, as segments. Dumps do not always say where a region begins: chunks
 * without a gap between them are one segment.
 */
final class Chunks {
  private final ReadLimits limits;
  private final List<Block> chunks = new ArrayList<>();

  Chunks(ReadLimits limits) {
    this.limits = limits;
  }

  int count() {
    return chunks.size();
  }

  /** The sum of their sizes. */
  long bytes() {
    return chunks.stream().mapToLong(Block::bytes).sum();
  }

  /** The number of those that the program holds. */
  long inUseCount() {
    return chunks.stream().filter(chunk -> chunk.state() == BlockState.ALLOCATED).count();
  }

  /** The sum of those that the program holds. */
  long inUseBytes() {
    return chunks.stream()
        .filter(chunk -> chunk.state() == BlockState.ALLOCATED)
        .mapToLong(Block::bytes)
        .sum();
  }

  /**
   * Adds a chunk.
   *
   * @param where a location for errors
   */
  void add(Block chunk, String where) throws FormatException {
    if (chunk.bytes() < 1 || chunk.address() < 0 || chunk.end() < 0) {
      throw new FormatException(
          Reason.MALFORMED,
          "a chunk has " + chunk.bytes() + " bytes at " + Long.toHexString(chunk.address()),
          where,
          "Write the dump again: it is damaged.");
    }
    if (chunks.size() >= limits.maxBlocks()) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the dump has more than " + limits.maxBlocks() + " chunks",
          where,
          "Start the server with a larger heap (-Xmx).");
    }
    chunks.add(chunk);
  }

  /** The segments in the order of their addresses; overlapping chunks are an error. */
  List<Segment> segments() throws FormatException {
    chunks.sort(Comparator.comparingLong(Block::address));
    List<Segment> segments = new ArrayList<>();
    int first = 0;
    for (int i = 1; i <= chunks.size(); i++) {
      if (i < chunks.size() && chunks.get(i).address() < chunks.get(i - 1).end()) {
        throw new FormatException(
            Reason.MALFORMED,
            "two chunks overlap",
            "at " + Long.toHexString(chunks.get(i).address()),
            "Cut out one dump: the text may have those of several failures or devices.");
      }
      if (i == chunks.size() || chunks.get(i - 1).end() != chunks.get(i).address()) {
        List<Block> blocks = chunks.subList(first, i);
        long address = blocks.getFirst().address();
        segments.add(
            new Segment(
                address,
                blocks.getLast().end() - address,
                /* stream= */ 0,
                PoolKind.LARGE,
                PoolId.DEFAULT,
                /* expandable= */ false,
                StackTable.NONE,
                blocks));
        first = i;
      }
    }
    return segments;
  }
}
