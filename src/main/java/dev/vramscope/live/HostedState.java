package dev.vramscope.live;

/** Whether a hosted allocator can be used. */
public sealed interface HostedState {
  /** It can be used. */
  record Open() implements HostedState {}

  /** It released all its memory, and is no longer listed. */
  record Closed() implements HostedState {}

  /**
   * Its device no longer responds. The allocator can still be inspected and closed.
   *
   * @param reason the driver's first error
   */
  record Lost(String reason) implements HostedState {}

  /** The identifier in REST responses. */
  default String id() {
    return switch (this) {
      case Open _ -> "open";
      case Closed _ -> "closed";
      case Lost _ -> "lost";
    };
  }

  default boolean isOpen() {
    return this instanceof Open;
  }
}
