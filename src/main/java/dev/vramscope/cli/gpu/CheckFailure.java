package dev.vramscope.cli.gpu;

/** Something is not as it must be; the message says what, in a sentence. */
final class CheckFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CheckFailure(String message) {
    super(message);
  }

  static void require(boolean holds, String message) {
    if (!holds) {
      throw new CheckFailure(message);
    }
  }
}
