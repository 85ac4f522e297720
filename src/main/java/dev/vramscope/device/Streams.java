package dev.vramscope.device;

/** Queues of work on a device, and the marks in them. */
public interface Streams {
  /** The stream that always exists. */
  int DEFAULT = 0;

  /** Stream numbers fit in 16 bits, so that a block record can hold one. */
  int MAX_STREAM = 0xffff;

  /** Makes a stream and gives it the next number. */
  int create();

  /**
   * Marks the present end of a stream.
   *
   * @return an event, to be handed to {@link #freeEvent} once it is no longer asked about
   */
  long recordEvent(int stream);

  /** Whether everything before the event is done. Does not wait. */
  boolean isDone(long event);

  /** Waits until everything before the event is done. */
  void synchronizeEvent(long event);

  void freeEvent(long event);

  /** Waits until everything enqueued in the stream is done. */
  void synchronize(int stream);

  /** Waits for all streams of the device. */
  void synchronizeAll();
}
