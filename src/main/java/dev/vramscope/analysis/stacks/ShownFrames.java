package dev.vramscope.analysis.stacks;

/** Which frames of a stack a call tree contains. */
public enum ShownFrames {
  /** Every recorded frame. */
  ALL,
  /**
   * The user's program and the Python code of packages, without interpreter, standard library, C++,
   * and code that only forwards calls.
   */
  PYTHON,
  /** The user's program only. */
  USER;

  /** Whether the innermost frame of a stack is shown. */
  boolean contains(StackClasses classes, int node) {
    return switch (this) {
      case ALL -> true;
      case PYTHON -> classes.isSpecific(node);
      case USER -> classes.kind(node) == FrameKind.USER;
    };
  }
}
