package dev.vramscope.compiled.scaling;

import org.jspecify.annotations.Nullable;

/**
 * The largest value whose program fits some memory.
 *
 * @param value the likely one; null if no law fits, or if {@code end} says it all
 * @param least the largest that fits if programs need the most that they may; 0 for none
 * @param most the largest that fits if they need the least
 */
public record LargestSize(@Nullable Long value, long least, long most, End end) {
  /** What is known. */
  public enum End {
    /** There is a largest value. */
    FOUND,
    /** No value fits. */
    NONE,
    /** Every value fits: memory does not grow with the parameter, or hardly. */
    EVERY
  }
}
