package dev.vramscope.inspection;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.ledger.Fragmentation;
import dev.vramscope.analysis.summary.SummaryTable;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.whatif.ReplayLength;
import dev.vramscope.whatif.ReplayedCounters;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counters of {@code torch.cuda.memory_stats()} for one device: those of the recording, those
 * that a replay adds, and lower bounds of the others.
 */
public final class DeviceCounters {
  /** A replay of so many events takes a fraction of a second. */
  private static final int REPLAYED_EVENTS = 250_000;

  private final DeviceInspection inspection;
  private final Lazy<Map<String, Long>> replayed;

  DeviceCounters(DeviceInspection inspection) {
    this.inspection = inspection;
    replayed = new Lazy<>(this::replay);
  }

  private Map<String, Long> replay() {
    DeviceSnapshot device = inspection.device();
    return inspection.family() != AllocatorFamily.CACHING
            || !ReplayLength.isAtMost(REPLAYED_EVENTS, device)
        ? Map.of()
        : ReplayedCounters.missingFrom(
            inspection.summary(),
            inspection.replays()::fidelity,
            inspection.replays()::run,
            inspection.snapshot().configuration(),
            inspection.leastTotal().bytes());
  }

  /** The table of {@code torch.cuda.memory_summary()}, with replayed counters and lower bounds. */
  public SummaryTable table() {
    Map<String, Long> counters = new HashMap<>(inspection.summary().counters());
    counters.putAll(replayed());
    return new SummaryTable(inspection.ordinal(), counters, lowerBounds());
  }

  /**
   * Counters that the summary does not have, from a replay that reproduces the whole recording;
   * empty if there is none, or the recording is too long to be replayed for a page.
   */
  public Map<String, Long> replayed() {
    return replayed.get();
  }

  /**
   * Lower bounds of counters that the summary does not have: the peaks that the overview computes
   * the overhead of. Those of the process may be higher.
   */
  public Map<String, Long> lowerBounds() {
    Fragmentation peaks = inspection.fragmentation();
    if (peaks.overhead().isEmpty()) {
      return Map.of();
    }
    Map<String, Long> bounds = new HashMap<>();
    bounds.put("allocated_bytes.all.peak", peaks.peakAllocatedBytes());
    bounds.put("reserved_bytes.all.peak", peaks.peakReservedBytes());
    bounds.keySet().removeAll(inspection.summary().counters().keySet());
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
    Fragmentation fragmentation = inspection.fragmentation();
    if (fragmentation.overhead().isEmpty()) {
      return null;
    }
    Long allocated = replayed().get("allocated_bytes.all.peak");
    return allocated == null || allocated == 0
        ? new Overhead(
            fragmentation.peakReservedBytes(),
            fragmentation.peakAllocatedBytes(),
            /* isReplayed= */ false)
        : new Overhead(fragmentation.peakReservedBytes(), allocated, /* isReplayed= */ true);
  }
}
