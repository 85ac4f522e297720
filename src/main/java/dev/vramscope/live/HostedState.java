package dev.vramscope.live;

/** Whether a hosted allocator can be used. */
public sealed interface HostedState {
  /** It works. */
  record Open() implements HostedState {}

  /** It gave everything back to its card, and is no longer listed. */
  record Closed() implements HostedState {}

  /**
   * Its card does not answer any more. It can still be looked at, and closed.
   *
   * @param reason the driver's first error
   */
  record Lost(String reason) implements HostedState {}

  default boolean isOpen() {
    return this instanceof Open;
  }
}
