package dev.vramscope.live.feed;

import dev.vramscope.model.TraceAction;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring buffer from the allocator's lock to the thread of the feed. One thread at a time adds (the
 * lock guarantees that) and one thread removes; neither waits. Events that do not fit are dropped
 * and counted.
 *
 * <pre>
 *   words[5 · (number mod capacity)]   head = kind:8 | stream:16 | pool:20 | context:20
 *                              + 1     address
 *                              + 2     bytes
 *                              + 3     extra: for an allocation, the size of the block;
 *                                             for a failure, the free memory of the device
 *                              + 4     the number of the event in the recorded history
 * </pre>
 */
final class FeedRing {
  /** A freed block starts to wait for a stream. Smaller kinds are codes of {@link TraceAction}. */
  static final int FREE_PENDING = 100;

  /** A freed block no longer waits for a stream. */
  static final int WAIT_COMPLETED = 101;

  private static final int WORDS = 5;
  private static final int POOL_SHIFT = 20;
  private static final int STREAM_SHIFT = 40;
  private static final int KIND_SHIFT = 56;
  private static final int MASK_20 = (1 << 20) - 1;
  private static final VarHandle WRITTEN = handle("written");
  private static final VarHandle REMOVED = handle("removed");
  private static final VarHandle DROPPED = handle("dropped");

  private final int mask;
  private final long[] words;

  /** Events added; written by the producer. */
  private long written;

  /** Events removed; written by the consumer. */
  private long removed;

  /** Events dropped; written by the producer. */
  private long dropped;

  private static VarHandle handle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(FeedRing.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * @param capacity in events, a power of two
   */
  FeedRing(int capacity) {
    if (Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "The capacity must be a power of two, got " + capacity + ".");
    }
    mask = capacity - 1;
    words = new long[capacity * WORDS];
  }

  // Producer -----------------------------------------------------------------------------------

  void add(
      int kind,
      long address,
      long bytes,
      long extra,
      int stream,
      int pool,
      int context,
      long event) {
    if (written - (long) REMOVED.getAcquire(this) > mask) {
      DROPPED.setOpaque(this, dropped + 1);
      return;
    }
    int at = (int) (written & mask) * WORDS;
    words[at] =
        (long) kind << KIND_SHIFT
            | (long) (stream & 0xffff) << STREAM_SHIFT
            | (long) (pool & MASK_20) << POOL_SHIFT
            | (context & MASK_20);
    words[at + 1] = address;
    words[at + 2] = bytes;
    words[at + 3] = extra;
    words[at + 4] = event;
    WRITTEN.setRelease(this, written + 1);
  }

  // Consumer -----------------------------------------------------------------------------------

  /** One more than the number of the latest event. */
  long end() {
    return (long) WRITTEN.getAcquire(this);
  }

  /** The number of the oldest event that is not removed. */
  long begin() {
    return removed;
  }

  /** Removes all events below this number. */
  void removeBefore(long number) {
    REMOVED.setRelease(this, number);
  }

  long droppedCount() {
    return (long) DROPPED.getOpaque(this);
  }

  int kind(long number) {
    return (int) (head(number) >>> KIND_SHIFT);
  }

  int stream(long number) {
    return (int) (head(number) >>> STREAM_SHIFT) & 0xffff;
  }

  int pool(long number) {
    return (int) (head(number) >>> POOL_SHIFT) & MASK_20;
  }

  int context(long number) {
    return (int) head(number) & MASK_20;
  }

  long address(long number) {
    return words[(int) (number & mask) * WORDS + 1];
  }

  long bytes(long number) {
    return words[(int) (number & mask) * WORDS + 2];
  }

  long extra(long number) {
    return words[(int) (number & mask) * WORDS + 3];
  }

  /** The number in the recorded history; 0 for kinds that are not events. */
  long event(long number) {
    return words[(int) (number & mask) * WORDS + 4];
  }

  private long head(long number) {
    return words[(int) (number & mask) * WORDS];
  }
}
