package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import java.util.Map;

/**
 * The counters of {@code torch.cuda.memory_stats()} as far as a snapshot tells them.
 *
 * @param device the device number
 * @param counters by torch's flat key, such as {@code allocated_bytes.all.current}; a counter that
 *     cannot be known has no entry
 * @param isComplete whether the trace shows the process from its first allocation, so that peaks
 *     and totals could be counted
 */
public record MemorySummary(int device, Map<String, Long> counters, boolean isComplete) {
  public static MemorySummary of(
      DeviceSnapshot device, Lifetimes lifetimes, ActiveBytes active, SizeRules sizes) {
    return Unbuilt.value();
  }

  /** The table that {@code torch.cuda.memory_summary()} prints. */
  public SummaryTable table() {
    return new SummaryTable(device, counters);
  }
}
