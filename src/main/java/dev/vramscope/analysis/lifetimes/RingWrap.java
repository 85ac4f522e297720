package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.FindingKind;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the ring buffer of events was full, so that the oldest events were overwritten.
 *
 * @param isCertain whether the recording reports it
 * @param isLikely whether it is certain, or the number of events equals the capacity of the buffer,
 *     or is a common capacity
 * @param reason the reason, for a message; empty if the buffer was not full, or if the recorder has
 *     added a finding with the exact number of lost events
 */
public record RingWrap(boolean isCertain, boolean isLikely, String reason) {
  private static final RingWrap NONE =
      new RingWrap(/* isCertain= */ false, /* isLikely= */ false, "");
  private static final RingWrap COUNTED =
      new RingWrap(/* isCertain= */ true, /* isLikely= */ true, "");

  public static RingWrap of(Snapshot snapshot, DeviceSnapshot device) {
    if (snapshot.findings().stream().anyMatch(FindingKind.RING_WRAPPED::isOf)) {
      return COUNTED;
    }
    if (device.facts().isRecorded()) {
      return NONE; // The recorder counts the events that it overwrites.
    }
    return of(snapshot.settings(), device.trace());
  }

  private static RingWrap of(Optional<AllocatorSettings> settings, Trace trace) {
    Map<String, String> values = settings.map(AllocatorSettings::values).orElse(Map.of());
    String overflowed = values.getOrDefault("trace_alloc_overflowed", "");
    if (isTrue(overflowed)) {
      return new RingWrap(
          /* isCertain= */ true, /* isLikely= */ true, "the recorded settings report an overflow");
    }
    if (!overflowed.isEmpty()) {
      return NONE;
    }
    String entries = values.getOrDefault("trace_alloc_max_entries", "");
    if (!entries.isEmpty()) {
      return !trace.isEmpty() && entries.equals(Integer.toString(trace.size()))
          ? new RingWrap(
              /* isCertain= */ false,
              /* isLikely= */ true,
              "the trace has exactly " + trace.size() + " events, the capacity of the buffer")
          : NONE;
    }
    if (trace.size() >= 1000 && isRound(trace.size())) {
      return new RingWrap(
          /* isCertain= */ false,
          /* isLikely= */ true,
          "the trace has exactly " + trace.size() + " events, a common capacity");
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
