package dev.vramscope.web.oom;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.frees.FreePlan.Piece;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a segment around a range, as rectangles in percent of the bar's width.
 *
 * @param fromAddress where the bar begins
 * @param toAddress where it ends
 */
record SegmentBar(
    long fromAddress,
    long toAddress,
    List<Part> parts,
    double rangePercent,
    double rangeWidthPercent) {
  /** Beyond this, a rectangle is narrower than a pixel. */
  private static final int MOST_PARTS = 1000;

  /** A run of blocks of the same kind: live, freed by the plan, pending, or free. */
  record Part(String css, double percent, double widthPercent, long bytes) {
    public String label() {
      return switch (css) {
        case "plan-free" -> "free";
        case "plan-freed" -> "to free";
        case "plan-pending" -> "waiting for a stream";
        default -> "live";
      };
    }
  }

  static SegmentBar of(Piece piece) {
    Segment segment = piece.segment();
    // A small range in a large segment is drawn with as much on both sides.
    long margin = Math.max(piece.bytes(), segment.bytes() / 20);
    long from = Math.max(0, piece.address() - segment.address() - margin);
    long to =
        Math.min(segment.bytes(), piece.address() - segment.address() + piece.bytes() + margin);
    List<Part> parts = new ArrayList<>();
    double scale = 100.0 / (to - from);
    double least = (to - from) / (double) MOST_PARTS;
    long start = from;
    String css = "";
    for (Block block : segment.blocks()) {
      long at = Math.max(from, block.address() - segment.address());
      long end = Math.min(to, block.end() - segment.address());
      String next = css(block, piece);
      if (at >= end || next.equals(css)) {
        continue;
      }
      // Runs too narrow to see belong to the run before them, except freed blocks.
      if (!css.isEmpty() && at - start < least && !next.equals("plan-freed")) {
        continue;
      }
      add(parts, css, start, at, from, scale);
      start = at;
      css = next;
    }
    add(parts, css, start, to, from, scale);
    return new SegmentBar(
        segment.address() + from,
        segment.address() + to,
        parts,
        (piece.address() - segment.address() - from) * scale,
        piece.bytes() * scale);
  }

  private static void add(
      List<Part> parts, String css, long start, long end, long from, double scale) {
    if (!css.isEmpty() && end > start) {
      parts.add(new Part(css, (start - from) * scale, (end - start) * scale, end - start));
    }
  }

  private static String css(Block block, Piece piece) {
    if (block.state() == BlockState.INACTIVE) {
      return "plan-free";
    }
    if (block.state() == BlockState.PENDING_FREE) {
      return "plan-pending";
    }
    boolean isFreed =
        block.address() - (piece.address() + piece.bytes()) < 0
            && block.end() - piece.address() > 0;
    return isFreed ? "plan-freed" : "plan-live";
  }
}
