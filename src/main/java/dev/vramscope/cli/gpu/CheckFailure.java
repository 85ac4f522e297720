package dev.vramscope.cli.gpu;

/** A condition of a check does not hold; the message describes it in a sentence. */
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
