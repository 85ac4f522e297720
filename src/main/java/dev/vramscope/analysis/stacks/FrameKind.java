package dev.vramscope.analysis.stacks;

/** The kind of code that a frame belongs to. */
public enum FrameKind {
  /** The user's program. */
  USER,
  /** An installed package, such as torch. */
  PACKAGE,
  /** The interpreter, the standard library, C++. */
  RUNTIME
}
