package dev.vramscope.whatif;

import dev.vramscope.model.DeviceSnapshot;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Small numbers for the streams of a recording, which are pointers there: 0 for the default stream,
 * the others ascending as the allocator orders them.
 */
final class StreamNumbers {
  /** Distinct, as unsigned numbers ascending: their order as signed ones after this is added. */
  private static final long UNSIGNED = Long.MIN_VALUE;

  private final long[] streams;

  StreamNumbers(DeviceSnapshot device) {
    LongStream ofSegments = device.segments().stream().mapToLong(segment -> segment.stream());
    LongStream ofEvents = device.trace().distinctStreams().stream().mapToLong(Long::longValue);
    streams =
        LongStream.concat(LongStream.concat(LongStream.of(0), ofSegments), ofEvents)
            .map(stream -> stream + UNSIGNED)
            .sorted()
            .distinct()
            .toArray();
  }

  int of(long stream) {
    int number = Arrays.binarySearch(streams, stream + UNSIGNED);
    if (number < 0) {
      throw new IllegalArgumentException("Stream " + stream + " is not in the recording.");
    }
    return number;
  }

  /** The number of a stream; 0 if it has none. */
  int ofOrDefault(long stream) {
    return Math.max(0, Arrays.binarySearch(streams, stream + UNSIGNED));
  }

  int count() {
    return streams.length;
  }
}
