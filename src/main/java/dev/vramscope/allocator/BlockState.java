package dev.vramscope.allocator;

/** What a block is used for at this moment. */
public enum BlockState {
  /** Handed out. */
  ALLOCATED,
  /** Freed, but some stream may still use it. */
  PENDING_FREE,
  /** Free to be handed out. */
  INACTIVE;

  public boolean isActive() {
    return this != INACTIVE;
  }
}
