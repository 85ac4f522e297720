package dev.vramscope.live.feed;

/** The result for a viewer that waits for changes. */
public sealed interface FeedUpdate {
  /**
   * Something changed.
   *
   * @param json see {@link FrameWriter}; must not be modified
   */
  @SuppressWarnings("ArrayRecordComponent") // Shared by all viewers, written to a socket.
  record Frame(byte[] json, long version) implements FeedUpdate {}

  /** Nothing changed before the timeout. */
  record Unchanged(long version) implements FeedUpdate {}

  /** The feed has ended. */
  record End(String reason, long version) implements FeedUpdate {}

  /** The version that the viewer has now. */
  long version();

  static FeedUpdate frame(byte[] json, long version) {
    return new Frame(json, version);
  }

  static FeedUpdate unchanged(long version) {
    return new Unchanged(version);
  }

  static FeedUpdate end(String reason, long version) {
    return new End(reason, version);
  }
}
