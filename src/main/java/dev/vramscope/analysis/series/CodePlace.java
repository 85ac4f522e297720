package dev.vramscope.analysis.series;

import dev.vramscope.model.Frame;

/**
 * A line of a program that allocates, the same in all recordings of a process.
 *
 * @param function empty for {@link #UNKNOWN} and {@link #OTHERS}
 */
public record CodePlace(String function, String file, int line) {
  /** Of allocations without a stack. */
  public static final CodePlace UNKNOWN = new CodePlace("", "", 0);

  /** Of places with little memory, which are not told apart. */
  public static final CodePlace OTHERS = new CodePlace("", "", -1);

  static CodePlace of(Frame frame) {
    return new CodePlace(frame.name(), frame.file(), frame.line());
  }

  /** Whether it is a line of a program. */
  public boolean isKnown() {
    return !equals(UNKNOWN) && !equals(OTHERS);
  }
}
