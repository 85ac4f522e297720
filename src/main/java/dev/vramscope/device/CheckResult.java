package dev.vramscope.device;

/**
 * Where a range of memory differs from the pattern it should hold.
 *
 * @param mismatchedWords how many of its 64-bit words differ; the tail counts as one
 * @param firstMismatchOffset bytes from the range's start to the first such word, or {@link
 *     #NOWHERE}
 */
public record CheckResult(long mismatchedWords, long firstMismatchOffset) {
  /** The offset when nothing differs. */
  public static final long NOWHERE = -1;

  /** Nothing differs. */
  public static final CheckResult MATCH = new CheckResult(0, NOWHERE);

  public boolean matches() {
    return mismatchedWords == 0;
  }
}
