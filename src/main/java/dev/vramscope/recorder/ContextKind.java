package dev.vramscope.recorder;

/** The contents of a context. */
public enum ContextKind {
  /** The scopes that the program opened. Takes nanoseconds. */
  SCOPES,
  /** The Java call stack. Takes microseconds. */
  STACKS,
  /** Both: the scopes at the root, the call stack below them. */
  BOTH;

  boolean hasStacks() {
    return this != SCOPES;
  }

  boolean hasScopes() {
    return this != STACKS;
  }
}
