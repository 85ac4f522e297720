package dev.vramscope.analysis;

import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Trace;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the ring buffer of events was full, so that the oldest events were overwritten.
 *
 * @param isCertain whether the recording reports it
 * @param isLikely whether the number of events equals the capacity of the buffer, or is a common
 *     capacity
 * @param reason the reason, for a message; empty if the buffer was not full
 */
record RingWrap(boolean isCertain, boolean isLikely, String reason) {
  private static final RingWrap NONE = new RingWrap(false, false, "");

  static RingWrap of(Optional<AllocatorSettings> settings, Trace trace) {
    Map<String, String> values = settings.map(AllocatorSettings::values).orElse(Map.of());
    if (isTrue(values.getOrDefault("trace_alloc_overflowed", ""))) {
      return new RingWrap(true, true, "the recorded settings report an overflow");
    }
    String entries = values.getOrDefault("trace_alloc_max_entries", "");
    if (!trace.isEmpty() && entries.equals(Integer.toString(trace.size()))) {
      return new RingWrap(
          false,
          true,
          "the trace has exactly " + trace.size() + " events, the capacity of the buffer");
    }
    if (trace.size() >= 1000 && isRound(trace.size())) {
      return new RingWrap(
          false, true, "the trace has exactly " + trace.size() + " events, a common capacity");
    }
    return NONE;
  }

  private static boolean isTrue(String text) {
    return text.equalsIgnoreCase("true") || text.equals("1");
  }

  /** 1 to 9 followed by zeros, or a power of two: common values of max_entries. */
  private static boolean isRound(int count) {
    int rest = count;
    while (rest % 10 == 0) {
      rest /= 10;
    }
    return rest < 10 || Integer.bitCount(count) == 1;
  }
}
