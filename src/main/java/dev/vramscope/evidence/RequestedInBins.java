package dev.vramscope.evidence;

import java.util.Optional;
import java.util.regex.Matcher;

/** What clients requested of the chunks in use of all size classes of a BFC dump. */
public final class RequestedInBins {
  private Quantity requested = Quantity.exact(0);
  private int bins;
  private boolean isUnreadable;

  /** Adds the line of a size class, which {@link BinLine#PATTERN} found. */
  public void add(Matcher bin) {
    Optional<Quantity> ofBin = BinLine.requested(bin);
    isUnreadable |= ofBin.isEmpty();
    requested = requested.plus(ofBin.orElse(Quantity.exact(0)));
    bins++;
  }

  /** The sum; empty unless each size class was added once. */
  public Optional<Quantity> requested() {
    return isUnreadable || bins != BinLine.COUNT ? Optional.empty() : Optional.of(requested);
  }
}
