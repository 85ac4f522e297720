package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import java.util.Map;

/**
 * The counters of {@code torch.cuda.memory_stats()} as far as a snapshot tells them.
 *
 * <p>Current values are those of the final state. Peaks and totals are counted from the trace when
 * it is <em>complete</em>: it shows the process from its first allocation, with nothing alive or
 * reserved before, nothing lost, nothing contradictory, and it arrives at the final state. Even
 * then only what a trace records is counted: requested bytes, counts and reserved bytes, but not
 * the sizes of blocks (a trace has requested sizes) and not the number of retries.
 *
 * @param device the device number
 * @param counters by torch's flat key, such as {@code allocated_bytes.all.current}; a counter that
 *     cannot be known has no entry
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
            && !RingWrap.of(snapshot.settings(), device.trace()).isCertain()
            && counted.arrivesAt(counters);
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

  /** The table that {@code torch.cuda.memory_summary()} prints. */
  public SummaryTable table() {
    return new SummaryTable(device, counters);
  }
}
