package dev.vramscope.postmortem.frees;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.cause.RequestState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The frees with the least live bytes after which a failed request succeeds.
 *
 * @param plans at most {@link #MOST_PLANS}, the cheapest first; no block is in two of them
 * @param largestSegmentBytes the largest segment in which a hole could serve the request; 0 if
 *     there is none
 * @param notes what was not considered and why, one sentence each
 */
public record CheapestFrees(List<FreePlan> plans, long largestSegmentBytes, List<String> notes) {
  static final int MOST_PLANS = 3;

  public CheapestFrees {
    plans = List.copyOf(plans);
    notes = List.copyOf(notes);
  }

  static CheapestFrees of(RequestState state) {
    HoleSearch holes = new HoleSearch(state);
    ReleaseSearch releases = new ReleaseSearch(state);
    if (state.request().family() == AllocatorFamily.UNRECORDED) {
      return new CheapestFrees(
          List.of(), 0, List.of("Without the segments, what frees would have changed is unknown."));
    }
    boolean isCached = state.request().family() != AllocatorFamily.DIRECT;
    Optional<String> obstacle = releases.obstacle();
    long largest =
        isCached ? holes.segments().stream().mapToLong(Segment::bytes).max().orElse(0) : 0;
    List<FreePlan> plans = new ArrayList<>();
    Set<Long> keptAddresses = new HashSet<>();
    while (plans.size() < MOST_PLANS) {
      List<FreePlan> next = new ArrayList<>();
      if (isCached) {
        holes.cheapest(keptAddresses).ifPresent(next::add);
      }
      if (obstacle.isEmpty()) {
        releases.cheapest(keptAddresses).ifPresent(next::add);
      }
      if (next.isEmpty()) {
        break;
      }
      next.sort(FreePlan.cheapestFirst());
      FreePlan cheapest = next.getFirst();
      plans.add(cheapest);
      cheapest.pieces().stream()
          .flatMap(piece -> piece.blocks().stream())
          .map(Block::address)
          .forEach(keptAddresses::add);
    }
    List<String> notes = new ArrayList<>();
    obstacle.ifPresent(notes::add);
    if (state.state().segments().stream().anyMatch(segment -> segment.pool().isPrivate())) {
      notes.add(
          "Private pools count as in use and keep their segments; a snapshot does not contain"
              + " whether they are.");
    }
    return new CheapestFrees(plans, largest, notes);
  }
}
