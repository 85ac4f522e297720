package dev.vramscope.analysis.summary;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.lifetimes.RingWrap;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import java.util.Map;

/**
 * The counters of {@code torch.cuda.memory_stats()} as far as they can be derived from a snapshot.
 *
 * <p>Current values are those of the final state. Peaks and totals are counted from the trace when
 * it is <em>complete</em>: nothing was live or reserved before its first event, no event is lost,
 * nothing is contradictory, and the events lead to the final state. Even then only recorded
 * quantities are counted: requested bytes, counts and reserved bytes, but not block sizes (a trace
 * has requested sizes) and not the number of retries.
 *
 * @param device the device number
 * @param counters by PyTorch's flat key, such as {@code allocated_bytes.all.current}; an unknown
 *     counter has no entry
 * @param isComplete whether the trace is complete
 */
public record MemorySummary(int device, Map<String, Long> counters, boolean isComplete) {
  public MemorySummary {
    counters = Map.copyOf(counters);
  }

  public static MemorySummary of(
      Snapshot snapshot, DeviceSnapshot device, Lifetimes lifetimes, ActiveBytes active) {
    SizeRules sizes = SizeRules.of(snapshot.settings());
    Counters counters = new Counters();
    StateCounters.count(device.segments(), sizes, counters);
    TraceCounters counted = TraceCounters.of(device.trace(), sizes);
    boolean isComplete =
        startsEmpty(lifetimes, active)
            && lifetimes.findings().isEmpty()
            && !device.trace().isEmpty()
            && !RingWrap.of(snapshot, device).isCertain()
            && counted.leadsTo(counters);
    if (isComplete) {
      counted.putInto(counters);
    }
    return new MemorySummary(device.ordinal(), counters.values(), isComplete);
  }

  private static boolean startsEmpty(Lifetimes lifetimes, ActiveBytes active) {
    return lifetimes.liveBeforeCount() == 0
        && active.isReservedKnown()
        && active.reservedAt(Lifetimes.BEFORE_RECORDING) == 0;
  }
}
