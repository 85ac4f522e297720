package dev.vramscope.device.sim;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Streams whose work takes real time.
 *
 * <p>The completion time of work is known when it is enqueued: it starts after the stream's earlier
 * work and the events that the stream waits for, and takes its duration. So a stream is represented
 * by one time, the end of its work, and an event by the end of its stream when it was recorded.
 * Effects are queued by time over all streams; each call runs those whose time has come.
 */
final class TimedStreams implements WorkStreams {
  /** Sleeping is not more precise than this. */
  private static final long SHORTEST_SLEEP_NANOS = 100_000;

  private record Effect(long nanos, long number, Runnable action) implements Comparable<Effect> {
    @Override
    public int compareTo(Effect other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final LongSupplier nanoTime;
  private final LongConsumer pause;
  private final long startNanos;
  private final PriorityQueue<Effect> effects = new PriorityQueue<>();
  private long[] ends = new long[8];
  private int created = 1;
  private long enqueued;

  TimedStreams() {
    this(System::nanoTime, TimedStreams::pause);
  }

  /**
   * Streams with the given clock.
   *
   * @param pause waits for a number of nanoseconds, or less
   */
  TimedStreams(LongSupplier nanoTime, LongConsumer pause) {
    this.nanoTime = nanoTime;
    this.pause = pause;
    startNanos = nanoTime.getAsLong();
  }

  /** Nanoseconds since these streams were created, from 1. */
  private long now() {
    return nanoTime.getAsLong() - startNanos + 1;
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
      throw new IllegalArgumentException("Work must take 0 ns or more, got " + nanos + ".");
    }
    require(stream);
    ends[stream] = Math.max(ends[stream], now()) + nanos;
    effects.add(new Effect(ends[stream], enqueued++, effect));
    runEffects();
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
    return event <= runEffects();
  }

  @Override
  public void synchronizeEvent(long event) {
    waitUntil(event);
  }

  /** Events are times: there is nothing to free. */
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

  /** Runs the effects of finished work; returns the current time. */
  synchronized long runEffects() {
    long now = now();
    for (Effect first = effects.peek();
        first != null && first.nanos() <= now;
        first = effects.peek()) {
      effects.remove();
      first.action().run();
    }
    return now;
  }

  private void waitUntil(long nanos) {
    // parkNanos returns immediately in an interrupted thread, so the interrupt is deferred.
    boolean interrupted = false;
    for (long left = nanos - now(); left > 0; left = nanos - now()) {
      pause.accept(left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    runEffects();
  }

  private static void pause(long nanos) {
    if (nanos > SHORTEST_SLEEP_NANOS) {
      LockSupport.parkNanos(nanos - SHORTEST_SLEEP_NANOS / 2);
    } else {
      Thread.onSpinWait();
    }
  }

  private void require(int stream) {
    if (stream < 0 || stream > MAX_STREAM) {
      throw new IllegalArgumentException(
          "A stream number must be from 0 to " + MAX_STREAM + ", got " + stream);
    }
    if (stream >= ends.length) {
      ends = Arrays.copyOf(ends, Math.max(stream + 1, 2 * ends.length));
    }
  }
}
