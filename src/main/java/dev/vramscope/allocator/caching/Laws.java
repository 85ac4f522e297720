package dev.vramscope.allocator.caching;

/** For {@code checkInvariants()}: a law holds, or is named. */
final class Laws {
  private Laws() {}

  /**
   * Reports a law that does not hold.
   *
   * @param where a slot or number that helps to find the place
   */
  static void require(boolean holds, String law, long where) {
    if (!holds) {
      throw new IllegalStateException(
          "Broken law of the caching allocator: " + law + " at " + where);
    }
  }
}
