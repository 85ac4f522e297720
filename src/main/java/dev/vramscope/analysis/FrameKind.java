package dev.vramscope.analysis;

/** Whose code a frame is. */
public enum FrameKind {
  /** The program's own. */
  USER,
  /** An installed package, such as torch. */
  PACKAGE,
  /** The interpreter, the standard library, C++. */
  RUNTIME
}
