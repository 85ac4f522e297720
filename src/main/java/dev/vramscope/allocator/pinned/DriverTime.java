package dev.vramscope.allocator.pinned;

/**
 * Time spent in one kind of driver call, in microseconds.
 *
 * @param minMicros 0 if there was no call
 */
public record DriverTime(long totalMicros, long maxMicros, long minMicros, long count) {
  static final DriverTime NONE = new DriverTime(0, 0, 0, 0);

  DriverTime with(long micros) {
    return new DriverTime(
        totalMicros + micros,
        Math.max(maxMicros, micros),
        count == 0 ? micros : Math.min(minMicros, micros),
        count + 1);
  }

  public long averageMicros() {
    return count == 0 ? 0 : totalMicros / count;
  }
}
