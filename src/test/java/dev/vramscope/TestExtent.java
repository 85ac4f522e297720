package dev.vramscope;

/**
 * How much of what could be tested is: a sample in script/test, all of it in .ci/run, which sets
 * {@code -Dvramscope.test.complete=true}.
 */
public final class TestExtent {
  private static final boolean COMPLETE = Boolean.getBoolean("vramscope.test.complete");

  private TestExtent() {}

  /** Whether all of it is tested, also what takes minutes. */
  public static boolean isComplete() {
    return COMPLETE;
  }

  /** A number of cases. */
  public static int of(int sample, int complete) {
    return COMPLETE ? complete : sample;
  }
}
