package dev.vramscope.intake;

/** Too many uploads are being received at once; nothing of this one was read. */
public final class IntakeBusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IntakeBusyException(int receiving) {
    super(
        receiving
            + " uploads are being received at the same time, which is the limit"
            + " (vramscope.intake.max-receiving). Try again in a moment.");
  }
}
