package dev.vramscope.device.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * Streams that make progress only when {@link #advance} or a synchronization is called.
 *
 * <p>A stream is two counters: events recorded and events done. An event is {@code stream << 48 |
 * number}, with numbers from 1; it is done once the stream's done counter reaches its number. Work
 * belongs to the next event recorded after it, and takes effect when that event is done or the
 * stream is synchronized.
 */
public final class SimStreams implements WorkStreams {
  private static final int NUMBER_BITS = 48;
  private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;
  private static final Queue<Effect> EMPTY = new ArrayDeque<>(0);

  private record Effect(long number, Runnable action) {}

  private final List<Queue<Effect>> effects = new ArrayList<>();
  private long[] recorded = new long[8];
  private long[] done = new long[8];
  private int created = 1;
  private long recordCount;
  private long queryCount;
  private long synchronizeEventCount;

  SimStreams() {}

  @Override
  public synchronized int create() {
    int stream = created;
    require(stream);
    created++;
    return stream;
  }

  @Override
  public synchronized long recordEvent(int stream) {
    require(stream);
    recordCount++;
    return ((long) stream << NUMBER_BITS) | ++recorded[stream];
  }

  @Override
  public synchronized boolean isDone(long event) {
    queryCount++;
    return done[streamOf(event)] >= numberOf(event);
  }

  @Override
  public synchronized void synchronizeEvent(long event) {
    synchronizeEventCount++;
    int stream = streamOf(event);
    advanceTo(stream, Math.max(done[stream], numberOf(event)));
  }

  /** Events are numbers: there is nothing to free. */
  @Override
  public void freeEvent(long event) {}

  @Override
  public synchronized void synchronize(int stream) {
    require(stream);
    advanceTo(stream, recorded[stream]);
    runEffects(stream, Long.MAX_VALUE);
  }

  @Override
  public synchronized void synchronizeAll() {
    for (int stream = 0; stream < recorded.length; stream++) {
      synchronize(stream);
    }
  }

  /** Marks up to {@code events} more events of the stream as done. */
  public synchronized void advance(int stream, long events) {
    require(stream);
    advanceTo(stream, Math.min(recorded[stream], done[stream] + events));
  }

  /** Ignores the duration. */
  @Override
  public synchronized void enqueue(int stream, long nanos, Runnable effect) {
    require(stream);
    while (effects.size() <= stream) {
      effects.add(new ArrayDeque<>());
    }
    effects.get(stream).add(new Effect(recorded[stream] + 1, effect));
  }

  /** Advancing the stream past this point also advances the other stream to the event. */
  @Override
  public synchronized void await(int stream, long event) {
    enqueue(stream, 0, () -> synchronizeEvent(event));
  }

  private void advanceTo(int stream, long number) {
    done[stream] = number;
    runEffects(stream, number);
  }

  /** Runs the effects of the work before an event. */
  private void runEffects(int stream, long number) {
    Queue<Effect> waiting = stream < effects.size() ? effects.get(stream) : EMPTY;
    while (!waiting.isEmpty() && waiting.element().number() <= number) {
      waiting.remove().action().run();
    }
  }

  /** The number of events recorded on a stream so far. */
  public synchronized long recordedOn(int stream) {
    require(stream);
    return recorded[stream];
  }

  /** The number of events of a stream that are done. */
  public synchronized long doneOn(int stream) {
    require(stream);
    return done[stream];
  }

  public synchronized long recordCount() {
    return recordCount;
  }

  public synchronized long queryCount() {
    return queryCount;
  }

  public synchronized long synchronizeEventCount() {
    return synchronizeEventCount;
  }

  private void require(int stream) {
    if (stream < 0 || stream > MAX_STREAM) {
      throw new IllegalArgumentException(
          "A stream number must be from 0 to " + MAX_STREAM + ", got " + stream);
    }
    if (stream >= recorded.length) {
      int length = Math.max(stream + 1, 2 * recorded.length);
      recorded = Arrays.copyOf(recorded, length);
      done = Arrays.copyOf(done, length);
    }
  }

  private static int streamOf(long event) {
    return (int) (event >>> NUMBER_BITS);
  }

  private static long numberOf(long event) {
    return event & NUMBER_MASK;
  }
}
