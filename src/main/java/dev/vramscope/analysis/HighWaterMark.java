package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The peak of the active bytes (requested size), and the allocations that were active then.
 *
 * @param bytes active at the peak
 * @param event the first event with this many bytes, or {@link Lifetimes#BEFORE_RECORDING}
 * @param liveBeforeBytes the part of them that was live before the recording
 * @param recordedOnlyBytes the peak that the events alone would show, without the allocations that
 *     were live before
 * @param holderCount allocations active at the peak
 * @param holders the rows of {@link Lifetimes} of the largest of these allocations, largest first
 */
public record HighWaterMark(
    long bytes,
    int event,
    long liveBeforeBytes,
    long recordedOnlyBytes,
    int holderCount,
    List<Integer> holders) {
  public HighWaterMark {
    holders = List.copyOf(holders);
  }

  /** The highest peak of the devices with a trace; null if no device has one. */
  public static @Nullable Long peakBytes(Snapshot snapshot) {
    Long peak = null;
    for (DeviceSnapshot device : snapshot.devices()) {
      if (device.trace().size() > 0) {
        long bytes = ActiveBytes.of(device, Lifetimes.of(device)).peakBytes();
        peak = peak == null ? bytes : Math.max(peak, bytes);
      }
    }
    return peak;
  }

  /** Finds the peak, and at most {@code holderLimit} of its holders. */
  public static HighWaterMark of(Lifetimes lifetimes, ActiveBytes active, int holderLimit) {
    int event = active.peakEvent();
    long liveBefore = 0;
    int holderCount = 0;
    Comparator<Integer> smallestFirst =
        Comparator.<Integer>comparingLong(lifetimes::bytes)
            .thenComparing(Comparator.reverseOrder());
    PriorityQueue<Integer> largest = new PriorityQueue<>(smallestFirst);
    for (int row = 0; row < lifetimes.size(); row++) {
      if (!lifetimes.isActiveAt(row, event)) {
        continue;
      }
      holderCount++;
      if (row < lifetimes.liveBeforeCount()) {
        liveBefore += lifetimes.bytes(row);
      }
      largest.add(row);
      if (largest.size() > holderLimit) {
        largest.remove();
      }
    }
    List<Integer> holders = new ArrayList<>(largest);
    holders.sort(smallestFirst.reversed());
    return new HighWaterMark(
        active.peakBytes(),
        event,
        liveBefore,
        recordedOnlyPeak(lifetimes, active),
        holderCount,
        holders);
  }

  /**
   * The block sizes at the peak: those of the final state, or for blocks that are not in it, those
   * that {@link SizeRules} gives. {@code bytes} are the requested bytes of the same allocations.
   */
  public long allocatedBytes(Lifetimes lifetimes, SizeRules sizes) {
    long allocated = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      if (lifetimes.isActiveAt(row, event)) {
        allocated += lifetimes.allocatedBytes(row, sizes);
      }
    }
    return allocated;
  }

  private static long recordedOnlyPeak(Lifetimes lifetimes, ActiveBytes active) {
    long liveBefore = active.baselineBytes();
    long[] ended = new long[active.eventCount()];
    for (int row = 0; row < lifetimes.liveBeforeCount(); row++) {
      if (lifetimes.endEvent(row) != Lifetimes.NEVER) {
        ended[lifetimes.endEvent(row)] += lifetimes.bytes(row);
      }
    }
    long peak = 0;
    for (int event = 0; event < ended.length; event++) {
      liveBefore -= ended[event];
      peak = Math.max(peak, active.at(event) - liveBefore);
    }
    return peak;
  }
}
