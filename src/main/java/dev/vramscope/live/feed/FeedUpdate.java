package dev.vramscope.live.feed;

/** What a viewer hears when it asked what is new. */
public sealed interface FeedUpdate {
  /**
   * Something changed.
   *
   * @param json see {@link FrameWriter}; not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // Shared by all viewers, written to a socket.
  record Frame(byte[] json, long version) implements FeedUpdate {}

  /** Nothing changed in the time given. */
  record Unchanged(long version) implements FeedUpdate {}

  /** There will be nothing more. */
  record End(String reason, long version) implements FeedUpdate {}

  /** The version that the viewer knows now. */
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
