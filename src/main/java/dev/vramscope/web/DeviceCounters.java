package dev.vramscope.web;

import dev.vramscope.analysis.Fragmentation;
import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.MemorySummary;
import dev.vramscope.analysis.SummaryTable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counters of {@code torch.cuda.memory_stats()} for one device: those of the recording, those
 * that a replay adds, and lower bounds of the others.
 */
final class DeviceCounters {
  private final int ordinal;
  private final Lazy<MemorySummary> summary;
  private final Lazy<Fragmentation> fragmentation;
  private final Lazy<Map<String, Long>> replayed;

  DeviceCounters(
      int ordinal,
      Lazy<MemorySummary> summary,
      Lazy<Fragmentation> fragmentation,
      Lazy<Map<String, Long>> replayed) {
    this.ordinal = ordinal;
    this.summary = summary;
    this.fragmentation = fragmentation;
    this.replayed = replayed;
  }

  /** The table of {@code torch.cuda.memory_summary()}, with replayed counters and lower bounds. */
  SummaryTable table() {
    Map<String, Long> counters = new HashMap<>(summary.get().counters());
    counters.putAll(replayed());
    return new SummaryTable(ordinal, counters, lowerBounds());
  }

  /**
   * Counters that the summary does not have, from a replay that reproduces the whole recording;
   * empty if there is none, or the recording is too long to be replayed for a page.
   */
  Map<String, Long> replayed() {
    return replayed.get();
  }

  /**
   * Lower bounds of counters that the summary does not have: the peaks that the overview computes
   * the overhead of. Those of the process may be higher.
   */
  Map<String, Long> lowerBounds() {
    Fragmentation peaks = fragmentation.get();
    if (peaks.overhead().isEmpty()) {
      return Map.of();
    }
    Map<String, Long> bounds = new HashMap<>();
    bounds.put("allocated_bytes.all.peak", peaks.peakAllocatedBytes());
    bounds.put("reserved_bytes.all.peak", peaks.peakReservedBytes());
    bounds.keySet().removeAll(summary.get().counters().keySet());
    bounds.keySet().removeAll(replayed().keySet());
    return bounds;
  }

  /**
   * Peak reserved / peak allocated of the recording.
   *
   * @param peakAllocatedBytes a lower bound unless it is replayed: a trace has no block sizes
   * @param isReplayed whether the peak of the allocated bytes is from an exact replay
   */
  public record Overhead(long peakReservedBytes, long peakAllocatedBytes, boolean isReplayed) {
    public double ratio() {
      return (double) peakReservedBytes / peakAllocatedBytes;
    }
  }

  /** The overhead, or null if the recording does not contain the reserved bytes over time. */
  public @Nullable Overhead overhead() {
    Fragmentation found = fragmentation.get();
    if (found.overhead().isEmpty()) {
      return null;
    }
    Long allocated = replayed().get("allocated_bytes.all.peak");
    return allocated == null || allocated == 0
        ? new Overhead(found.peakReservedBytes(), found.peakAllocatedBytes(), false)
        : new Overhead(found.peakReservedBytes(), allocated, true);
  }
}
