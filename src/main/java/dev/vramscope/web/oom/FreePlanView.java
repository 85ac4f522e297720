package dev.vramscope.web.oom;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.Block;
import dev.vramscope.postmortem.frees.FreePlan;
import dev.vramscope.postmortem.frees.FreePlan.Piece;
import dev.vramscope.postmortem.frees.LargestFit;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.snapshot.FrameView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frees that would have let a request succeed, in JSON.
 *
 * @param kind {@code hole}: the freed blocks and the free memory around them become one free block;
 *     {@code release}: whole segments or pages return to the device
 * @param isLeast whether no frees of fewer bytes have the same effect
 * @param pieces the ranges that become free; the first
 * @param blocks the blocks to free; the first
 */
record FreePlanView(
    String kind,
    long freedBytes,
    int blockCount,
    int pieceCount,
    boolean isLeast,
    List<PieceView> pieces,
    List<BlockView> blocks) {
  private static final int MOST = 100;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /** A range that becomes free. */
  record PieceView(String address, long bytes, String segment) {}

  /** A block to free; the site is missing if no stack was recorded. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record BlockView(String address, long bytes, @Nullable FrameView site) {}

  /** The largest request that would have been served; the upper bound is missing if unknown. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record LargestFitView(long atLeastBytes, @Nullable Long atMostBytes) {
    static LargestFitView of(LargestFit fit) {
      return new LargestFitView(
          fit.atLeastBytes(), fit.atMostBytes().isPresent() ? fit.atMostBytes().getAsLong() : null);
    }
  }

  static FreePlanView of(StackClasses stacks, FreePlan plan) {
    return new FreePlanView(
        plan instanceof FreePlan.Hole ? "hole" : "release",
        plan.freedBytes(),
        plan.blockCount(),
        plan.pieces().size(),
        plan.isLeast(),
        plan.pieces().stream().limit(MOST).map(FreePlanView::piece).toList(),
        plan.pieces().stream()
            .flatMap(piece -> piece.blocks().stream())
            .limit(MOST)
            .map(block -> block(stacks, block))
            .toList());
  }

  private static PieceView piece(Piece piece) {
    return new PieceView(
        FORMAT.hex(piece.address()), piece.bytes(), FORMAT.hex(piece.segment().address()));
  }

  private static BlockView block(StackClasses stacks, Block block) {
    return new BlockView(
        FORMAT.hex(block.address()), block.bytes(), FrameView.ofSite(stacks, block.stack()));
  }
}
