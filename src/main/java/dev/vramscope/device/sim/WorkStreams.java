package dev.vramscope.device.sim;

import dev.vramscope.device.Streams;

/** Streams that do work. */
interface WorkStreams extends Streams {
  /**
   * Enqueues work.
   *
   * @param nanos how long it takes, for streams that know time; its effect comes at the end
   * @param effect is run by whichever thread finds that the stream has come this far
   */
  void enqueue(int stream, long nanos, Runnable effect);

  /** Lets what is enqueued in a stream from now on wait for an event of another one. */
  void await(int stream, long event);
}
