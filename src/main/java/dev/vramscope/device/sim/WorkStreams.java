package dev.vramscope.device.sim;

import dev.vramscope.device.Streams;

/** Streams in which work can be enqueued. */
interface WorkStreams extends Streams {
  /**
   * Enqueues work.
   *
   * @param nanos its duration, in streams that take time
   * @param effect run at the end of the work, by the thread whose call finds the work finished
   */
  void enqueue(int stream, long nanos, Runnable effect);

  /** Makes work enqueued in the stream after this call wait for an event of another stream. */
  void await(int stream, long event);
}
