package dev.vramscope.recorder;

/** When a context is taken, as PyTorch's {@code context} says it. */
public enum ContextMoment {
  /** When a block is allocated; freeing it is shown with the same context. */
  ALLOC,
  /** When a block is freed, too. */
  ALL
}
