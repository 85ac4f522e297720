package dev.vramscope.format.export.perfetto;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Times of the events of a trace in nanoseconds, never descending: a viewer sorts by time, and the
 * order of the events is more certain than their times. An event without a time is one microsecond
 * after the previous one.
 */
final class EventClock {
  private static final long NANOS = 1_000;

  /** In the year 2255; later times do not fit into nanoseconds. */
  private static final long MAX_MICROS = 9_000_000_000_000_000L;

  private final Trace trace;
  private long micros;
  private int withoutTime;

  /**
   * The clock of a device.
   *
   * @param startMicros the time of the first event if it has none
   */
  EventClock(Trace trace, long startMicros) {
    this.trace = trace;
    boolean isFirstKnown = !trace.isEmpty() && isKnown(trace.timeMicros(0));
    micros = isFirstKnown ? trace.timeMicros(0) : startMicros;
  }

  /** The time before the first event. */
  long start() {
    return micros * NANOS;
  }

  /** The time of an event; events must come in order. */
  long at(int event) {
    long recorded = trace.timeMicros(event);
    if (isKnown(recorded)) {
      micros = Math.max(micros, recorded);
    } else {
      withoutTime++;
      micros = event == 0 ? micros : micros + 1;
    }
    return micros * NANOS;
  }

  /** Events so far that have no time. */
  int withoutTime() {
    return withoutTime;
  }

  /** A time in nanoseconds. */
  static long nanos(long knownMicros) {
    return knownMicros * NANOS;
  }

  static boolean isKnown(long timeMicros) {
    return timeMicros >= 0 && timeMicros <= MAX_MICROS;
  }

  /** The earliest time of events and annotations, or {@link Trace#NO_TIME}. */
  static long earliest(List<DeviceSnapshot> devices) {
    return devices.stream()
        .flatMapToLong(
            device ->
                LongStream.concat(
                    LongStream.range(0, device.trace().size())
                        .map(event -> device.trace().timeMicros((int) event)),
                    device.annotations().stream().mapToLong(mark -> mark.timeMicros())))
        .filter(EventClock::isKnown)
        .min()
        .orElse(Trace.NO_TIME);
  }
}
