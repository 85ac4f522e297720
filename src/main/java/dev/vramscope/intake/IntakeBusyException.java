package dev.vramscope.intake;

/** Too many uploads are in progress; nothing of this one was read. */
public final class IntakeBusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Seconds after which a client may retry. */
  public static final int RETRY_SECONDS = 5;

  private final boolean isShareUsed;

  private IntakeBusyException(String message, boolean isShareUsed) {
    super(message);
    this.isShareUsed = isShareUsed;
  }

  static IntakeBusyException allUsed(int receiving) {
    return new IntakeBusyException(
        receiving
            + " uploads are in progress, which is the limit (vramscope.intake.max-receiving)."
            + " Try again in a moment.",
        /* isShareUsed= */ false);
  }

  static IntakeBusyException shareUsed(int receiving) {
    return new IntakeBusyException(
        receiving
            + " uploads from this address are in progress, which is the limit"
            + " (vramscope.intake.max-receiving-per-address). Try again in a moment.",
        /* isShareUsed= */ true);
  }

  /** Whether only this client's share is used; others may upload. */
  public boolean isShareUsed() {
    return isShareUsed;
  }
}
