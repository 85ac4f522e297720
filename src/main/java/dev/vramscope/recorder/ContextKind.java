package dev.vramscope.recorder;

/** What a context is made of. */
public enum ContextKind {
  /** The scopes that the program opened: nanoseconds. */
  SCOPES,
  /** The Java call stack: microseconds. */
  STACKS,
  /** The call stack, below the scopes. */
  BOTH;

  boolean hasStacks() {
    return this != SCOPES;
  }

  boolean hasScopes() {
    return this != STACKS;
  }
}
