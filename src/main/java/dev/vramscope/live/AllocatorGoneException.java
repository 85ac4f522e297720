package dev.vramscope.live;

/** An operation was requested of a hosted allocator that is closed or whose device is lost. */
public final class AllocatorGoneException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean lost;

  private AllocatorGoneException(String message, boolean lost) {
    super(message);
    this.lost = lost;
  }

  static AllocatorGoneException closed(long id) {
    return new AllocatorGoneException("Allocator " + id + " was closed", /* lost= */ false);
  }

  static AllocatorGoneException lost(long id, String reason) {
    return new AllocatorGoneException(
        "Allocator " + id + " lost its device: " + reason, /* lost= */ true);
  }

  /** Whether the device was lost. The allocator can then still be inspected and closed. */
  public boolean isLost() {
    return lost;
  }
}
