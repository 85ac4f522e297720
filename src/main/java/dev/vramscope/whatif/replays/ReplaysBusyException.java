package dev.vramscope.whatif.replays;

/** Too many replays run or wait. */
public final class ReplaysBusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReplaysBusyException(String what) {
    super(what);
  }
}
