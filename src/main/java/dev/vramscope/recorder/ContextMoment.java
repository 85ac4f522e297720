package dev.vramscope.recorder;

/** When a context is recorded, as PyTorch's {@code context} argument defines it. */
public enum ContextMoment {
  /** When a block is allocated; the events of freeing it have the same context. */
  ALLOC,
  /** Also when a block is freed. */
  ALL
}
