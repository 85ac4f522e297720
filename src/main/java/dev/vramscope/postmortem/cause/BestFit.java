package dev.vramscope.postmortem.cause;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The free block that PyTorch's caching allocator would choose for a request: the smallest of the
 * pool and stream that is large enough. Under {@code max_split_size} it may be refused, and then no
 * other block is tried.
 *
 * <p>Among blocks of expandable segments the allocator prefers the one that can grow least. A
 * snapshot does not contain the unmapped ranges that this depends on, so there may be several
 * possible choices.
 *
 * @param choices the blocks that may be chosen, the smallest first; empty if none is large enough
 * @param served the choices that the allocator would use
 */
record BestFit(List<Candidate> choices, List<Candidate> served) {
  private static final Comparator<Candidate> BY_SIZE =
      Comparator.<Candidate>comparingLong(candidate -> candidate.block().bytes())
          .thenComparing(candidate -> candidate.block().address(), Long::compareUnsigned);

  static BestFit of(List<Candidate> candidates, Request request, SizeRules sizes) {
    List<Candidate> fitting =
        candidates.stream()
            .filter(candidate -> candidate.isUsable() && candidate.isFree())
            .filter(candidate -> candidate.missingBytes() == 0)
            .sorted(BY_SIZE)
            .toList();
    List<Candidate> choices = choices(fitting, sizes);
    return new BestFit(
        choices,
        choices.stream()
            .filter(choice -> sizes.mayServe(choice.block().bytes(), request.roundedBytes()))
            .toList());
  }

  private static List<Candidate> choices(List<Candidate> fitting, SizeRules sizes) {
    if (fitting.isEmpty() || !fitting.getFirst().segment().expandable()) {
      return fitting.isEmpty() ? fitting : fitting.subList(0, 1);
    }
    List<Candidate> choices = new ArrayList<>();
    for (Candidate candidate : fitting) {
      boolean isPlain = !candidate.segment().expandable();
      if (sizes.isExpandable() || isPlain) {
        choices.add(candidate);
      }
      if (isPlain) {
        return choices;
      }
    }
    return choices;
  }

  /** Whether the cache serves the request, whichever choice the allocator makes. */
  boolean isServed() {
    return !choices.isEmpty() && served.size() == choices.size();
  }

  /** Whether the cache may serve the request. */
  boolean mayBeServed() {
    return !served.isEmpty();
  }

  /** The only possible block, if there is one. */
  Optional<Candidate> only() {
    return choices.size() == 1 ? Optional.of(choices.getFirst()) : Optional.empty();
  }

  /**
   * Whether the request could be served from the cache if pending frees completed: a range of free
   * and pending blocks is long enough.
   */
  static boolean couldBeServedLater(List<Segment> segments, Request request) {
    for (Segment segment : segments) {
      if (!request.isPlacedIn(segment)) {
        continue;
      }
      long contiguous = 0;
      boolean hasPending = false;
      for (Block block : segment.blocks()) {
        if (block.state() == BlockState.ALLOCATED) {
          contiguous = 0;
          hasPending = false;
        } else {
          contiguous += block.bytes();
          hasPending |= block.state() == BlockState.PENDING_FREE;
          if (hasPending && contiguous >= request.roundedBytes()) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
