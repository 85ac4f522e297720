package dev.vramscope.store;

/**
 * A stored snapshot of which a part is damaged.
 *
 * @param id of the snapshot
 * @param name its display name; empty if it is lost
 * @param what the damage, and what still works; sentences
 */
public record Damage(String id, String name, String what) {
  private static final String NEEDS_HEAP =
      "Its original file needs more heap than the service has to be read again. Start the service"
          + " with a larger -Xmx.";

  /** Rows that are missing because the heap is too small for their original file. */
  static Damage needingHeap(String id) {
    return new Damage(id, "", NEEDS_HEAP);
  }

  /** Whether a larger heap would repair it. */
  public boolean needsHeap() {
    return what.equals(NEEDS_HEAP);
  }
}
