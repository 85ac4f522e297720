package dev.vramscope.device.sim;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Streams whose work takes time by the computer's clock.
 *
 * <p>When a piece of work will be done is known as soon as it is enqueued: after the stream's work
 * so far, after what the stream waits for, and after as long as it takes. So a stream is one
 * moment, its end, and an event is a moment too: the end of its stream when it was recorded. The
 * effects of work wait in order of time over all streams; each call lets those happen that are due.
 */
final class TimedStreams implements WorkStreams {
  /** Sleeping is not more exact than this. */
  private static final long SHORTEST_SLEEP_NANOS = 100_000;

  private record Effect(long moment, long number, Runnable action) implements Comparable<Effect> {
    @Override
    public int compareTo(Effect other) {
      int byMoment = Long.compare(moment, other.moment);
      return byMoment != 0 ? byMoment : Long.compare(number, other.number);
    }
  }

  private final long startNanos = System.nanoTime();
  private final PriorityQueue<Effect> effects = new PriorityQueue<>();
  private long[] ends = new long[8];
  private int created = 1;
  private long enqueued;

  /** Nanoseconds since these streams were made, from 1. */
  private long now() {
    return System.nanoTime() - startNanos + 1;
  }

  @Override
  public synchronized int create() {
    int stream = created;
    require(stream);
    created++;
    return stream;
  }

  @Override
  public synchronized void enqueue(int stream, long nanos, Runnable effect) {
    if (nanos < 0) {
      throw new IllegalArgumentException("Work takes 0 ns or more, got " + nanos + ".");
    }
    require(stream);
    ends[stream] = Math.max(ends[stream], now()) + nanos;
    effects.add(new Effect(ends[stream], enqueued++, effect));
    settle();
  }

  @Override
  public synchronized void await(int stream, long event) {
    require(stream);
    ends[stream] = Math.max(ends[stream], event);
  }

  @Override
  public synchronized long recordEvent(int stream) {
    require(stream);
    return Math.max(ends[stream], now());
  }

  @Override
  public synchronized boolean isDone(long event) {
    return event <= settle();
  }

  @Override
  public void synchronizeEvent(long event) {
    waitUntil(event);
  }

  /** Events are moments here: there is nothing to free. */
  @Override
  public void freeEvent(long event) {}

  @Override
  public void synchronize(int stream) {
    waitUntil(end(stream));
  }

  @Override
  public void synchronizeAll() {
    waitUntil(lastEnd());
  }

  private synchronized long end(int stream) {
    require(stream);
    return ends[stream];
  }

  private synchronized long lastEnd() {
    return Arrays.stream(ends).max().orElse(0);
  }

  /** Lets happen what is due by now, which is returned. */
  synchronized long settle() {
    long now = now();
    for (Effect first = effects.peek();
        first != null && first.moment() <= now;
        first = effects.peek()) {
      effects.remove();
      first.action().run();
    }
    return now;
  }

  private void waitUntil(long moment) {
    // An interrupted thread does not sleep, so the interrupt is put off.
    boolean interrupted = false;
    for (long left = moment - now(); left > 0; left = moment - now()) {
      if (left > SHORTEST_SLEEP_NANOS) {
        LockSupport.parkNanos(this, left - SHORTEST_SLEEP_NANOS / 2);
        interrupted |= Thread.interrupted();
      } else {
        Thread.onSpinWait();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    settle();
  }

  private void require(int stream) {
    if (stream < 0 || stream > MAX_STREAM) {
      throw new IllegalArgumentException(
          "A stream is a number from 0 to " + MAX_STREAM + ", got " + stream);
    }
    if (stream >= ends.length) {
      ends = Arrays.copyOf(ends, Math.max(stream + 1, 2 * ends.length));
    }
  }
}
