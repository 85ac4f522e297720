package dev.vramscope.web.oom;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.frees.BlockRanking;
import dev.vramscope.postmortem.frees.FreePlan;
import dev.vramscope.postmortem.frees.FreePlan.Piece;
import dev.vramscope.postmortem.frees.Frees;
import dev.vramscope.postmortem.frees.LargestFit;
import dev.vramscope.web.snapshot.FrameView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a page shows of the frees that would have helped: the first blocks, with site and age.
 *
 * @param frees the numbers that are shown as they are
 * @param roundedBytes what the request needs in one piece
 * @param needsSegmentBytes the segment that the request needed although a larger request would have
 *     been served; 0 if none would
 */
record FreesView(
    Frees frees,
    long roundedBytes,
    FreeHistogramChart histogram,
    List<PlanView> plans,
    List<RankedBlock> ranking,
    List<PieceView> pins,
    long needsSegmentBytes) {
  private static final int MOST_BLOCKS = 20;
  private static final int MOST_PIECES = 6;

  /**
   * A live block.
   *
   * @param row its row in the lifetimes, or -1 if the trace does not contain it
   * @param ageEvents events from its allocation to the request; null if it is older than the trace
   * @param ageMicros time since its allocation; null if not recorded
   */
  record LiveBlock(
      Block block,
      int row,
      @Nullable FrameView site,
      @Nullable Integer ageEvents,
      @Nullable Long ageMicros) {}

  /**
   * A plan.
   *
   * @param title its rank
   * @param blocks the first, the largest first
   * @param pieces the first
   */
  record PlanView(
      String title, FreePlan plan, boolean isHole, List<LiveBlock> blocks, List<PieceView> pieces) {
    public int hiddenBlocks() {
      return plan.blockCount() - blocks.size();
    }

    public int hiddenPieces() {
      return plan.pieces().size() - pieces.size();
    }
  }

  /** A piece of a segment, drawn in it, with its first blocks. */
  record PieceView(Piece piece, SegmentBar bar, List<LiveBlock> blocks) {}

  /** A block of the ranking. */
  record RankedBlock(LiveBlock live, long holeBytes, boolean isEnough) {}

  static FreesView of(DeviceInspection device, OomReport report) {
    Frees frees = report.frees();
    Ages ages = new Ages(device, report);
    List<PlanView> plans = new ArrayList<>();
    for (FreePlan plan : frees.cheapest().plans()) {
      List<PieceView> pieces =
          plan.pieces().stream().limit(MOST_PIECES).map(piece -> ages.piece(piece, 0)).toList();
      Stream<Block> blocks =
          plan.pieces().stream()
              .flatMap(piece -> piece.blocks().stream())
              .sorted((a, b) -> Long.compare(b.bytes(), a.bytes()));
      plans.add(
          new PlanView(
              title(plan, plans),
              plan,
              plan instanceof FreePlan.Hole,
              blocks.limit(MOST_BLOCKS).map(ages::live).toList(),
              pieces));
    }
    List<RankedBlock> ranking = new ArrayList<>();
    for (BlockRanking.Row row : frees.ranking().rows()) {
      ranking.add(
          new RankedBlock(
              ages.live(row.block()),
              row.holeBytes(),
              row.holeBytes() >= report.request().roundedBytes()));
    }
    return new FreesView(
        frees,
        report.request().roundedBytes(),
        FreeHistogramChart.of(frees.histogram(), device.family()),
        plans,
        ranking,
        frees.pins().rows().stream().map(piece -> ages.piece(piece, 3)).toList(),
        needsSegment(report));
  }

  private static String title(FreePlan plan, List<PlanView> before) {
    if (before.isEmpty()) {
      return "Cheapest";
    }
    return before.getLast().plan().freedBytes() == plan.freedBytes()
        ? "As cheap"
        : before.size() == 1 ? "Second" : "Third";
  }

  private static long needsSegment(OomReport report) {
    LargestFit fit = report.frees().largestFit();
    return report.request().family() == AllocatorFamily.CACHING
            && fit.isExact()
            && fit.atLeastBytes() > report.request().requestedBytes()
        ? report.request().segmentBytes()
        : 0;
  }

  /** The allocations of the displayed blocks. */
  private static final class Ages {
    private final StackClasses stacks;
    private final Lifetimes lifetimes;
    private final Trace trace;
    private final int event;
    private final Map<Long, Integer> rows = new HashMap<>();

    Ages(DeviceInspection device, OomReport report) {
      stacks = device.stacks();
      lifetimes = device.lifetimes();
      trace = device.device().trace();
      event = report.request().isRecorded() ? report.request().event() : trace.size() - 1;
      Frees frees = report.frees();
      Stream.of(
              frees.cheapest().plans().stream().flatMap(plan -> plan.pieces().stream()),
              frees.pins().rows().stream())
          .flatMap(pieces -> pieces)
          .flatMap(piece -> piece.blocks().stream())
          .forEach(block -> rows.put(block.address(), -1));
      frees.ranking().rows().forEach(row -> rows.put(row.block().address(), -1));
      for (int row = 0; row < lifetimes.size(); row++) {
        if (lifetimes.isActiveAt(row, event)) {
          rows.replace(lifetimes.address(row), row);
        }
      }
    }

    LiveBlock live(Block block) {
      int row = rows.getOrDefault(block.address(), -1);
      int born = row < 0 ? Lifetimes.BEFORE_RECORDING : lifetimes.allocationEvent(row);
      boolean isTimed =
          born >= 0
              && trace.timeMicros(born) != Trace.NO_TIME
              && trace.timeMicros(event) != Trace.NO_TIME;
      return new LiveBlock(
          block,
          row,
          FrameView.ofSite(stacks, block.stack()),
          born < 0 ? null : event - born,
          isTimed ? Math.max(0, trace.timeMicros(event) - trace.timeMicros(born)) : null);
    }

    PieceView piece(Piece piece, int most) {
      return new PieceView(
          piece,
          SegmentBar.of(piece),
          piece.blocks().stream().limit(most).map(this::live).toList());
    }
  }
}
