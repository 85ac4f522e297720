package dev.vramscope.allocator.caching;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Values by stream. Takes memory for the streams that have a value, whatever their numbers are: a
 * recording may have as many pools as streams, each pool with one of them.
 *
 * <p>An open-addressing table of a power of two, at most half full:
 *
 * <pre>
 *   streams  stream + 1, 0 = empty
 *   values   the value of the stream at the same index
 *   sorted   all streams, ascending; null after a change
 * </pre>
 */
final class ByStream<T> {
  private static final int FIRST_SLOTS = 4;

  /** The table without values; never written. */
  private static final int[] NO_STREAMS = {0};

  private static final @Nullable Object[] NO_VALUES = {null};

  /** 2^32 divided by the golden ratio: spreads numbers that have a common factor. */
  private static final int HASH_FACTOR = 0x9E37_79B9;

  private int[] streams = NO_STREAMS;
  private @Nullable Object[] values = NO_VALUES;
  private int @Nullable [] sorted;
  private int size;

  /** The value of a stream, or null if it has none. */
  @Nullable T get(int stream) {
    return at(slotOf(streams, stream));
  }

  @SuppressWarnings("unchecked") // Only values of this type are put.
  private @Nullable T at(int slot) {
    return (T) values[slot];
  }

  /** Adds the value of a stream that has none. */
  void add(int stream, T value) {
    if (2 * (size + 1) > streams.length) {
      resize(Math.max(FIRST_SLOTS, 2 * streams.length));
    }
    put(stream, value);
    size++;
    sorted = null;
  }

  private void put(int stream, T value) {
    int slot = slotOf(streams, stream);
    streams[slot] = stream + 1;
    values[slot] = value;
  }

  private static int slotOf(int[] streams, int stream) {
    int mask = streams.length - 1;
    int slot = (stream * HASH_FACTOR) >>> Integer.numberOfLeadingZeros(mask) & mask;
    while (streams[slot] != 0 && streams[slot] != stream + 1) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void resize(int slots) {
    int[] oldStreams = streams;
    @Nullable Object[] oldValues = values;
    streams = new int[slots];
    values = new @Nullable Object[slots];
    for (int slot = 0; slot < oldStreams.length; slot++) {
      if (oldStreams[slot] != 0) {
        int to = slotOf(streams, oldStreams[slot] - 1);
        streams[to] = oldStreams[slot];
        values[to] = oldValues[slot];
      }
    }
  }

  /** Removes the values that a predicate accepts. */
  void removeIf(Predicate<? super T> isRemoved) {
    int remainingCount = 0;
    for (int slot = 0; slot < streams.length; slot++) {
      T value = at(slot);
      if (value != null && isRemoved.test(value)) {
        streams[slot] = 0;
        values[slot] = null;
      } else if (value != null) {
        remainingCount++;
      }
    }
    if (remainingCount < size) {
      size = remainingCount;
      sorted = null;
      // Entries behind a removed one must be found again.
      resize(Math.max(FIRST_SLOTS, Integer.highestOneBit(remainingCount) << 2));
    }
  }

  /** The streams that have a value, ascending. Not to be changed. */
  int[] streams() {
    int[] sortedStreams = sorted;
    if (sortedStreams == null) {
      sortedStreams =
          Arrays.stream(streams).filter(entry -> entry != 0).map(entry -> entry - 1).toArray();
      Arrays.sort(sortedStreams);
      sorted = sortedStreams;
    }
    return sortedStreams;
  }

  /** The value of a stream that has one. */
  T require(int stream) {
    return Objects.requireNonNull(get(stream));
  }
}
