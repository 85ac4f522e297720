package dev.vramscope.allocator;

/** Checks of internal invariants, for {@code checkInvariants()}. */
public final class Invariants {
  private Invariants() {}

  /**
   * Requires that an invariant holds.
   *
   * @param where a slot, address or number that locates the violation
   * @throws IllegalStateException if it does not hold
   */
  public static void require(boolean holds, String invariant, long where) {
    if (!holds) {
      throw new IllegalStateException("Invariant violated: " + invariant + " at " + where);
    }
  }
}
