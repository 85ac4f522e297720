package dev.vramscope.analysis;

import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Trace;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the ring of events was full, so that the oldest were overwritten.
 *
 * @param isCertain the writer said so
 * @param isLikely there are as many events as the ring holds, or as many as people usually ask for
 * @param reason what that is taken from; empty when there is none
 */
record RingWrap(boolean isCertain, boolean isLikely, String reason) {
  private static final RingWrap NONE = new RingWrap(false, false, "");

  static RingWrap of(Optional<AllocatorSettings> settings, Trace trace) {
    Map<String, String> values = settings.map(AllocatorSettings::values).orElse(Map.of());
    if (isYes(values.getOrDefault("trace_alloc_overflowed", ""))) {
      return new RingWrap(true, true, "the recording's settings say so");
    }
    String entries = values.getOrDefault("trace_alloc_max_entries", "");
    if (!trace.isEmpty() && entries.equals(Integer.toString(trace.size()))) {
      return new RingWrap(
          false, true, "the trace has exactly the " + trace.size() + " events the ring holds");
    }
    if (trace.size() >= 1000 && isRound(trace.size())) {
      return new RingWrap(
          false, true, "the trace has exactly " + trace.size() + " events, a usual ring size");
    }
    return NONE;
  }

  private static boolean isYes(String text) {
    return text.equalsIgnoreCase("true") || text.equals("1");
  }

  /** 1 to 9 followed by zeros, or a power of two: what people give as max_entries. */
  private static boolean isRound(int count) {
    int rest = count;
    while (rest % 10 == 0) {
      rest /= 10;
    }
    return rest < 10 || Integer.bitCount(count) == 1;
  }
}
