package dev.vramscope.device.sim;

import dev.vramscope.device.Streams;
import java.util.Arrays;

/**
 * Streams whose progress is set by hand.
 *
 * <p>A stream is two counters: events recorded and events done. An event is {@code stream << 48 |
 * number}, with numbers from 1; it is done once the stream's done counter reaches its number.
 */
public final class SimStreams implements Streams {
  private static final int NUMBER_BITS = 48;
  private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;

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
    done[stream] = Math.max(done[stream], numberOf(event));
  }

  /** Events are numbers here: there is nothing to free. */
  @Override
  public void freeEvent(long event) {}

  @Override
  public synchronized void synchronize(int stream) {
    require(stream);
    done[stream] = recorded[stream];
  }

  @Override
  public synchronized void synchronizeAll() {
    System.arraycopy(recorded, 0, done, 0, done.length);
  }

  /** Lets up to {@code events} more events of the stream become done. */
  public synchronized void advance(int stream, long events) {
    require(stream);
    done[stream] = Math.min(recorded[stream], done[stream] + events);
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
          "A stream is a number from 0 to " + MAX_STREAM + ", got " + stream);
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
