package dev.vramscope.device;

/**
 * The result of comparing a range of memory with the pattern it should hold.
 *
 * @param mismatchedWords the number of 64-bit words that differ; a partial word at the end counts
 *     as one
 * @param firstMismatchOffset offset in bytes of the first such word from the start of the range, or
 *     {@link #NONE}
 */
public record CheckResult(long mismatchedWords, long firstMismatchOffset) {
  /** The offset when the range matches. */
  public static final long NONE = -1;

  /** The range matches. */
  public static final CheckResult MATCH = new CheckResult(0, NONE);

  public boolean matches() {
    return mismatchedWords == 0;
  }
}
