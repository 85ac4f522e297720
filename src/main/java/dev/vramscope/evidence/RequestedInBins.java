package dev.vramscope.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;

/** What clients requested of the chunks in use of all size classes of a BFC dump. */
public final class RequestedInBins {
  private final List<Quantity> bins = new ArrayList<>();
  private boolean isUnreadable;

  /** Adds the line of a size class, which {@link BinLine#PATTERN} found. */
  public void add(Matcher bin) {
    Optional<Quantity> ofBin = BinLine.requested(bin);
    isUnreadable |= ofBin.isEmpty();
    if (bins.size() <= BinLine.COUNT) {
      bins.add(ofBin.orElse(Quantity.exact(0)));
    }
  }

  /** Each size class from the smallest; empty unless each was added once. */
  public List<Quantity> bins() {
    return isUnreadable || bins.size() != BinLine.COUNT ? List.of() : List.copyOf(bins);
  }

  /** The sum; empty unless each size class was added once. */
  public Optional<Quantity> requested() {
    return bins().stream().reduce(Quantity::plus);
  }
}
