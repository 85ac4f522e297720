package dev.vramscope.allocator.bfc;

/** For {@code checkInvariants()}: a law holds, or is named. */
final class Laws {
  private Laws() {}

  /**
   * Reports a law that does not hold.
   *
   * @param where a slot, address or number that helps to find the place
   */
  static void require(boolean holds, String law, long where) {
    if (!holds) {
      throw new IllegalStateException("Broken law of the BFC allocator: " + law + " at " + where);
    }
  }
}
