package dev.vramscope.live;

/** A hosted allocator was asked for a change after it was closed, or after its card was lost. */
public final class AllocatorGoneException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean lost;

  private AllocatorGoneException(String message, boolean lost) {
    super(message);
    this.lost = lost;
  }

  static AllocatorGoneException closed(long id) {
    return new AllocatorGoneException("Allocator " + id + " was closed", false);
  }

  static AllocatorGoneException lost(long id, String reason) {
    return new AllocatorGoneException("Allocator " + id + " lost its card: " + reason, true);
  }

  /** Whether the card was lost, so that the allocator is still there to be looked at and closed. */
  public boolean isLost() {
    return lost;
  }
}
