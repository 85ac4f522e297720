package dev.vramscope.explain.message;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.model.ByteText;
import java.util.Optional;

/** Arithmetic and comparison of rounded numbers. */
public final class Amounts {
  private Amounts() {}

  /** The difference, not below 0. */
  public static Quantity difference(Quantity a, Quantity b) {
    return new Quantity(Math.max(0, a.bytes() - b.bytes()), a.errorBytes() + b.errorBytes());
  }

  /** The difference, not below 0; all of it if nothing is known of the second. */
  public static Optional<Quantity> minus(Optional<Quantity> a, Optional<Quantity> b) {
    return b.isEmpty() ? a : a.map(from -> difference(from, b.get()));
  }

  /** Whether a is more than b, whatever was rounded. */
  public static boolean isSurelyMore(Quantity a, Quantity b) {
    return a.leastBytes() > b.mostBytes();
  }

  /** Whether a is as much as b or more, whatever was rounded. */
  public static boolean isSurelyAtLeast(Quantity a, Quantity b) {
    return a.leastBytes() >= b.mostBytes();
  }

  /** For sentences; a difference of rounded numbers does not look more exact than it is. */
  public static String text(Quantity quantity) {
    boolean isCoarse = quantity.errorBytes() > quantity.bytes() / 100;
    return (isCoarse ? "about " : "") + ByteText.of(quantity.bytes());
  }
}
