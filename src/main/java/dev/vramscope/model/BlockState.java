package dev.vramscope.model;

/** Whether a block is in use. */
public enum BlockState {
  /** Allocated to a client. */
  ALLOCATED,
  /** Freed by its client, but another stream may still be using it. */
  PENDING_FREE,
  /** Free: part of the allocator's cache. */
  INACTIVE;

  /** Whether the memory is in use: allocated, or waiting for a stream. */
  public boolean isActive() {
    return this != INACTIVE;
  }
}
