package dev.vramscope.postmortem.frees;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.cause.RequestState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The live blocks next to the most free memory, in the segments that a request can use.
 *
 * @param rows the first {@link #MOST_ROWS}, the largest hole first
 * @param blockCount the number of live blocks in these segments
 */
public record BlockRanking(List<Row> rows, int blockCount) {
  static final int MOST_ROWS = 10;

  private static final Comparator<Row> LARGEST_FIRST =
      Comparator.comparingLong(Row::holeBytes)
          .reversed()
          .thenComparingLong(row -> row.block().bytes())
          .thenComparing(row -> row.block().address(), Long::compareUnsigned);

  public BlockRanking {
    rows = List.copyOf(rows);
  }

  /**
   * A live block.
   *
   * @param holeBytes the free block that freeing this block alone would give: its own size and the
   *     free blocks before and after it
   */
  public record Row(Block block, Segment segment, long holeBytes) {}

  static BlockRanking of(RequestState state) {
    // A bounded list: there may be a million live blocks.
    List<Row> best = new ArrayList<>();
    int count = 0;
    for (Segment segment : new HoleSearch(state).segments()) {
      List<Block> blocks = segment.blocks();
      for (int i = 0; i < blocks.size(); i++) {
        if (blocks.get(i).state() == BlockState.ALLOCATED) {
          count++;
          long hole = freeAt(blocks, i - 1) + blocks.get(i).bytes() + freeAt(blocks, i + 1);
          insert(best, new Row(blocks.get(i), segment, hole));
        }
      }
    }
    return new BlockRanking(best, count);
  }

  private static long freeAt(List<Block> blocks, int index) {
    boolean isFree =
        index >= 0 && index < blocks.size() && blocks.get(index).state() == BlockState.INACTIVE;
    return isFree ? blocks.get(index).bytes() : 0;
  }

  private static void insert(List<Row> best, Row row) {
    if (best.size() == MOST_ROWS && LARGEST_FIRST.compare(row, best.getLast()) > 0) {
      return;
    }
    int at = best.size();
    while (at > 0 && LARGEST_FIRST.compare(row, best.get(at - 1)) < 0) {
      at--;
    }
    best.add(at, row);
    if (best.size() > MOST_ROWS) {
      best.removeLast();
    }
  }
}
