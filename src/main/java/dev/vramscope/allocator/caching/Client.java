package dev.vramscope.allocator.caching;

/** What an allocator's requests come from. The blocks that serve them are the same. */
public enum Client {
  /** A program: the device gets the calls that PyTorch would make, and failures have a message. */
  PROGRAM,

  /**
   * A replay, of which only the outcome counts. With thousands of waiting streams or of failures,
   * most of its time would go into polling streams in vain and into messages. So the streams are
   * polled that the replay reports ({@link CachingAllocator#reportProgress}), and failures have
   * neither a message nor a stack trace.
   */
  REPLAY
}
