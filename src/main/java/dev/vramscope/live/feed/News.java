package dev.vramscope.live.feed;

/** What a viewer hears when it asked what is new. */
public sealed interface News {
  /**
   * Something changed.
   *
   * @param json see {@link FrameWriter}; not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // Shared by all viewers, written to a socket.
  record Frame(byte[] json, long version) implements News {}

  /** Nothing changed in the time given. */
  record Nothing(long version) implements News {}

  /** There will be nothing more. */
  record End(String reason, long version) implements News {}

  /** The version that the viewer knows now. */
  long version();

  static News frame(byte[] json, long version) {
    return new Frame(json, version);
  }

  static News nothing(long version) {
    return new Nothing(version);
  }

  static News end(String reason, long version) {
    return new End(reason, version);
  }
}
