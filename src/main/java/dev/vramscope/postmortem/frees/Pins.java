package dev.vramscope.postmortem.frees;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.cause.RequestState;
import dev.vramscope.postmortem.frees.FreePlan.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Segments, and ranges of pages of expandable ones, that a few small live blocks keep from being
 * released: at most {@link #MOST_BLOCKS} to a segment or page, with at most an eighth of its bytes.
 *
 * @param rows the first {@link #MOST_ROWS}, the most free bytes first
 * @param count the number of all of them
 * @param freeBytes their free bytes
 * @param liveBytes the bytes of the live blocks that keep them
 */
public record Pins(List<Piece> rows, int count, long freeBytes, long liveBytes) {
  static final int MOST_ROWS = 10;
  static final int MOST_BLOCKS = 4;
  private static final int LIVE_PART = 8;

  public Pins {
    rows = List.copyOf(rows);
  }

  static Pins of(RequestState state) {
    if (state.request().family() != AllocatorFamily.CACHING) {
      // The others do not release memory that has been in the cache.
      return new Pins(List.of(), 0, 0, 0);
    }
    List<Piece> pieces = new ArrayList<>();
    for (Segment segment : state.state().segments()) {
      pieces.addAll(pinned(segment, state.sizes().pageBytes(segment.kind())));
    }
    pieces.sort(
        Comparator.comparingLong(Pins::freeIn)
            .reversed()
            .thenComparing(Piece::address, Long::compareUnsigned));
    return new Pins(
        pieces.subList(0, Math.min(pieces.size(), MOST_ROWS)),
        pieces.size(),
        pieces.stream().mapToLong(Pins::freeIn).sum(),
        pieces.stream().mapToLong(Piece::freedBytes).sum());
  }

  private static List<Piece> pinned(Segment segment, long pageBytes) {
    List<ReleaseUnit> units =
        segment.expandable()
            ? ReleaseUnit.ofExpandable(segment, pageBytes, Set.of())
            : ReleaseUnit.ofPlain(segment, segment.bytes(), Set.of());
    List<ReleaseUnit> few =
        units.stream()
            .filter(unit -> unit.costBytes() > 0 && unit.costBytes() <= unit.bytes() / LIVE_PART)
            .filter(
                unit -> ReleaseUnit.pieces(List.of(unit)).getFirst().blocks().size() <= MOST_BLOCKS)
            .toList();
    return ReleaseUnit.pieces(few);
  }

  private static long freeIn(Piece piece) {
    return piece.bytes() - piece.freedBytes();
  }
}
