package dev.vramscope.device;

/** Queues of work on a device, and the events recorded in them. */
public interface Streams {
  /** The default stream, which always exists. */
  int DEFAULT = 0;

  /** Stream numbers fit in 16 bits, so that a block record can hold one. */
  int MAX_STREAM = 0xffff;

  /** Creates a stream with the next number. */
  int create();

  /**
   * Records an event at the current end of a stream.
   *
   * @return the event; pass it to {@link #freeEvent} when it is no longer needed
   */
  long recordEvent(int stream);

  /** Whether everything before the event is done. Does not wait. */
  boolean isDone(long event);

  /** Waits until everything before the event is done. */
  void synchronizeEvent(long event);

  void freeEvent(long event);

  /** Waits until everything enqueued in the stream is done. */
  void synchronize(int stream);

  /** Waits until everything enqueued in all streams of the device is done. */
  void synchronizeAll();
}
