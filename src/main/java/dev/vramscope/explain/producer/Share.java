package dev.vramscope.explain.producer;

import dev.vramscope.evidence.Quantity;
import java.util.Locale;

/**
 * A part of the device's memory, as far as a text tells the parts apart.
 *
 * @param label what it is, for people
 * @param quantity its size; a difference of rounded numbers has the sum of their errors
 */
public record Share(Kind kind, String label, Quantity quantity) {
  /** What a part belongs to. */
  public enum Kind {
    /** Handed out to the program. */
    ALLOCATED,
    /** Held by the allocator, and free inside it. */
    UNALLOCATED,
    /** Held by private pools, and free inside them. */
    PRIVATE,
    /** Needed while a program runs, and then free again. */
    TEMPORARY,
    /** Used by this process outside the allocator, by others, or the text does not say by whom. */
    OUTSIDE,
    /** Free on the device. */
    FREE,
    /** What remains of the total: the text does not say what it is. */
    UNKNOWN;

    /** The name in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
