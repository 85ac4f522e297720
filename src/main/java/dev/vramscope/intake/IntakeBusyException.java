package dev.vramscope.intake;

/** Too many uploads are in progress; nothing of this one was read. */
public final class IntakeBusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IntakeBusyException(int receiving) {
    super(
        receiving
            + " uploads are in progress, which is the limit (vramscope.intake.max-receiving)."
            + " Try again in a moment.");
  }
}
