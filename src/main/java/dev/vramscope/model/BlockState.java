package dev.vramscope.model;

/** Who may touch a block's bytes. */
public enum BlockState {
  /** Handed out to a client. */
  ALLOCATED,
  /** Freed by its client, but another stream may still be using it. */
  PENDING_FREE,
  /** Free: cached by the allocator. */
  INACTIVE;

  /** Whether the bytes are in use: allocated, or waiting for a stream. */
  public boolean isActive() {
    return this != INACTIVE;
  }
}
