package dev.vramscope.allocator;

/** For {@code checkInvariants()}: a law holds, or is named. */
public final class Laws {
  private Laws() {}

  /**
   * Reports a law that does not hold.
   *
   * @param where a slot, address or number that helps to find the place
   */
  public static void require(boolean holds, String law, long where) {
    if (!holds) {
      throw new IllegalStateException("Broken law: " + law + " at " + where);
    }
  }
}
