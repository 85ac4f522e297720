package dev.vramscope.whatif;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Small numbers for the streams of a recording, which are pointers there: 0 for the default stream,
 * the others ascending as the allocator orders them.
 */
final class StreamNumbers {
  private final TreeMap<Long, Integer> numbers = new TreeMap<>(Long::compareUnsigned);

  StreamNumbers(DeviceSnapshot device) {
    TreeSet<Long> streams = new TreeSet<>(Long::compareUnsigned);
    streams.add(0L);
    for (Segment segment : device.segments()) {
      streams.add(segment.stream());
    }
    Trace trace = device.trace();
    for (int event = 0; event < trace.size(); event++) {
      streams.add(trace.stream(event));
    }
    for (Long stream : streams) {
      numbers.put(stream, numbers.size());
    }
  }

  int of(long stream) {
    Integer number = numbers.get(stream);
    if (number == null) {
      throw new IllegalArgumentException("Stream " + stream + " is not in the recording.");
    }
    return number;
  }

  /** The number of a stream; 0 if it has none. */
  int ofOrDefault(long stream) {
    return numbers.getOrDefault(stream, 0);
  }

  int count() {
    return numbers.size();
  }
}
