package dev.vramscope.postmortem.frees;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.RequestState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the least live bytes between free blocks of one segment whose frees give a free block that
 * serves a request.
 *
 * <p>Only consecutive live blocks can give a hole, and freeing more of them gives a larger one. So
 * two pointers over the live blocks of each segment visit, for each first block, the fewest that
 * suffice. A pending block ends a hole: nobody can free it.
 */
final class HoleSearch {
  private final Request request;
  private final SizeRules sizes;
  private final List<Segment> segments;

  HoleSearch(RequestState state) {
    request = state.request();
    sizes = state.sizes();
    segments = state.state().segments().stream().filter(this::canServe).toList();
  }

  private boolean canServe(Segment segment) {
    // Without recorded settings, an expandable segment itself shows that they were on.
    return request.isPlacedIn(segment)
        && (!segment.expandable() || sizes.isExpandable() || !sizes.isRecorded());
  }

  /** The segments in which a hole could serve the request. */
  List<Segment> segments() {
    return segments;
  }

  /**
   * The cheapest hole that frees at least one block.
   *
   * @param keptAddresses addresses of live blocks that must not be freed
   */
  Optional<FreePlan> cheapest(Set<Long> keptAddresses) {
    FreePlan best = null;
    for (Segment segment : segments) {
      if (segment.bytes() < request.roundedBytes()) {
        continue;
      }
      for (Run run : runs(segment, keptAddresses)) {
        FreePlan plan = run.cheapest(segment, best == null ? Long.MAX_VALUE : best.freedBytes());
        if (plan != null && (best == null || FreePlan.cheapestFirst().compare(plan, best) < 0)) {
          best = plan;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private List<Run> runs(Segment segment, Set<Long> keptAddresses) {
    List<Run> runs = new ArrayList<>();
    long start = segment.address();
    List<Block> live = new ArrayList<>();
    for (Block block : segment.blocks()) {
      boolean isFixed =
          block.state() == BlockState.PENDING_FREE
              || (block.state() == BlockState.ALLOCATED && keptAddresses.contains(block.address()));
      if (isFixed) {
        runs.add(new Run(start, block.address(), live));
        start = block.end();
        live = new ArrayList<>();
      } else if (block.state() == BlockState.ALLOCATED) {
        live.add(block);
      }
    }
    runs.add(new Run(start, segment.end(), live));
    return runs;
  }

  /** A range of a segment in which every live block may be freed. */
  private final class Run {
    private final long start;
    private final long end;
    private final List<Block> live;

    Run(long start, long end, List<Block> live) {
      this.start = start;
      this.end = end;
      this.live = live;
    }

    /** The cheapest hole, or null if there is none that frees at most {@code mostBytes}. */
    @Nullable FreePlan cheapest(Segment segment, long mostBytes) {
      if (end - start < request.roundedBytes()) {
        return null;
      }
      int bestFirst = -1;
      int bestEnd = -1;
      long least = mostBytes;
      long freed = 0;
      int last = -1;
      for (int first = 0; first < live.size(); first++) {
        // The window must have a block; the pointers never move back.
        while (last < first
            || (last + 1 < live.size() && hole(first, last) < request.roundedBytes())) {
          freed += live.get(++last).bytes();
        }
        long bytes = hole(first, last);
        boolean isBetter =
            freed < least
                || (freed == least && (bestFirst < 0 || last + 1 - first < bestEnd - bestFirst));
        if (isBetter
            && bytes >= request.roundedBytes()
            && sizes.mayServe(bytes, request.roundedBytes())) {
          least = freed;
          bestFirst = first;
          bestEnd = last + 1;
        }
        freed -= live.get(first).bytes();
      }
      if (bestFirst < 0) {
        return null;
      }
      return new FreePlan.Hole(
          new FreePlan.Piece(
              segment,
              startOf(bestFirst),
              hole(bestFirst, bestEnd - 1),
              live.subList(bestFirst, bestEnd)));
    }

    /** The size of the hole if these live blocks were freed. */
    private long hole(int first, int last) {
      return (last + 1 < live.size() ? live.get(last + 1).address() : end) - startOf(first);
    }

    private long startOf(int first) {
      return first == 0 ? start : live.get(first - 1).end();
    }
  }
}
