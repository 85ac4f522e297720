package dev.vramscope.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The last N events of one allocator, five words each:
 *
 * <pre>
 *   chunks[slot &gt;&gt; 14] [(slot &amp; 16383) * 5 …]
 *     0  address; for a failed request, the device's free bytes
 *     1  bytes
 *     2  nanoseconds, of {@link System#nanoTime}
 *     3  context &lt;&lt; 32 | pool          for an annotation, the number of its text
 *     4  stream  &lt;&lt; 32 | action
 * </pre>
 *
 * Events are numbered from 0; event n is in slot n mod N. A chunk is allocated when it is first
 * needed, and then kept.
 *
 * <p>One thread at a time writes, under the allocator's lock. Any thread may {@link #copy} at the
 * same time, and neither waits: the writer announces an event before it writes to the slot, and the
 * reader drops the events whose slots were announced for reuse during the copy.
 */
final class EventRing {
  static final int WORDS = 5;

  private static final int CHUNK_SHIFT = 14;
  private static final int CHUNK = 1 << CHUNK_SHIFT;
  private static final int CHUNK_MASK = CHUNK - 1;
  private static final VarHandle WRITTEN = writtenHandle();

  private final int capacity;
  private final long[][] chunks;
  private int slot;
  private long announced;
  private long written;
  private volatile long first;

  EventRing(int capacity) {
    this.capacity = capacity;
    chunks = new long[(capacity + CHUNK - 1) >> CHUNK_SHIFT][];
  }

  void add(int action, long address, long bytes, int stream, int pool, int context, long nanos) {
    long number = written;
    announced = number + 1;
    VarHandle.storeStoreFence();
    long[] chunk = chunks[slot >> CHUNK_SHIFT];
    if (chunk == null) {
      chunk = new long[Math.min(CHUNK, capacity) * WORDS];
      chunks[slot >> CHUNK_SHIFT] = chunk;
    }
    int at = (slot & CHUNK_MASK) * WORDS;
    chunk[at] = address;
    chunk[at + 1] = bytes;
    chunk[at + 2] = nanos;
    chunk[at + 3] = ((long) context << 32) | (pool & 0xffff_ffffL);
    chunk[at + 4] = ((long) stream << 32) | action;
    slot = slot + 1 == capacity ? 0 : slot + 1;
    WRITTEN.setRelease(this, number + 1);
  }

  int capacity() {
    return capacity;
  }

  /** The number of events written so far, which is the number of the next one. */
  long written() {
    return (long) WRITTEN.getAcquire(this);
  }

  /** Discards all events so far. */
  void clear() {
    first = written();
  }

  /** The events before number {@code end} that were not overwritten. */
  EventCopy copy(long end) {
    long from = Math.max(first, end - capacity);
    int count = (int) Math.max(0, end - from);
    long[] words = new long[count * WORDS];
    for (int done = 0; done < count; ) {
      int at = (int) ((from + done) % capacity);
      int run = Math.min(count - done, Math.min(CHUNK - (at & CHUNK_MASK), capacity - at));
      System.arraycopy(
          chunks[at >> CHUNK_SHIFT], (at & CHUNK_MASK) * WORDS, words, done * WORDS, run * WORDS);
      done += run;
    }
    VarHandle.acquireFence();
    long intact = announced - capacity;
    int skipped = Math.clamp(intact - from, 0, count);
    return new EventCopy(words, skipped, count, from + skipped - first, from + skipped);
  }

  private static VarHandle writtenHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(EventRing.class, "written", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
