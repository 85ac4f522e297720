package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.AllocatorFacts.RecordedTotals;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.IntColumn;
import dev.vramscope.model.LongColumn;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;
import java.util.List;

/**
 * Active bytes and reserved bytes of a device after every event.
 *
 * <p>Active bytes are <em>requested</em> bytes, the size that a trace records. They include the
 * allocations that were live before the first event. An allocation counts from its allocation event
 * to its completed free. Reserved bytes are reconstructed backwards from the final segments through
 * the segment events.
 *
 * <p>Takes about 9 bytes of heap per event.
 */
public final class ActiveBytes {
  /** An unknown number of bytes. */
  public static final long UNKNOWN = -1;

  private final long baselineBytes;
  private final long unnamedBytes;
  private final RangeExtremes active;
  private final int peakEvent;
  private final long peakBytes;
  private final Reserved reserved;

  private ActiveBytes(
      long baselineBytes, long unnamedBytes, RangeExtremes active, Reserved reserved) {
    this.baselineBytes = baselineBytes;
    this.unnamedBytes = unnamedBytes;
    this.active = active;
    this.reserved = reserved;
    int event = active.size() == 0 ? -1 : active.firstMax(0, active.size());
    boolean isInTrace = event >= 0 && active.get(event) > baselineBytes;
    peakEvent = isInTrace ? event : Lifetimes.BEFORE_RECORDING;
    peakBytes = isInTrace ? active.get(event) : baselineBytes;
  }

  public static ActiveBytes of(DeviceSnapshot device, Lifetimes lifetimes) {
    long[] series = new long[device.trace().size()];
    long baseline = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      long bytes = lifetimes.bytes(row);
      int start = lifetimes.allocationEvent(row);
      if (start == Lifetimes.BEFORE_RECORDING) {
        baseline += bytes;
      } else {
        series[start] += bytes;
      }
      int end = lifetimes.endEvent(row);
      if (end != Lifetimes.NEVER) {
        series[end] -= bytes;
      }
    }
    long bytes = baseline;
    for (int event = 0; event < series.length; event++) {
      bytes += series[event];
      series[event] = bytes;
    }
    return new ActiveBytes(
        baseline, lifetimes.unnamedBytes(), new RangeExtremes(series), Reserved.of(device));
  }

  public int eventCount() {
    return active.size();
  }

  /** Active bytes before the first event. */
  public long baselineBytes() {
    return baselineBytes;
  }

  /** The part of the active bytes at all times that was live before and has no event. */
  public long unnamedBytes() {
    return unnamedBytes;
  }

  /** Active bytes after an event; the baseline for {@link Lifetimes#BEFORE_RECORDING}. */
  public long at(int event) {
    return event == Lifetimes.BEFORE_RECORDING ? baselineBytes : active.get(event);
  }

  /** Active bytes after the last event. */
  public long atEnd() {
    return at(eventCount() - 1);
  }

  /** The first event in the non-empty range [from, to) with the most active bytes. */
  public int maxEvent(int from, int to) {
    return active.firstMax(from, to);
  }

  /** The most active bytes in the non-empty range [from, to) of events. */
  public long max(int from, int to) {
    return active.max(from, to);
  }

  /** The minimum active bytes in the non-empty range [from, to) of events. */
  public long min(int from, int to) {
    return active.min(from, to);
  }

  /** The peak of the active bytes, including the moment before the first event. */
  public long peakBytes() {
    return peakBytes;
  }

  /** The first event with the most active bytes, or {@link Lifetimes#BEFORE_RECORDING}. */
  public int peakEvent() {
    return peakEvent;
  }

  /**
   * Whether reserved bytes are known: there are segments or segment events, and they agree, or the
   * trace has the allocator's own total.
   */
  public boolean isReservedKnown() {
    return reserved.isKnown();
  }

  /** Reserved bytes after an event, or {@link #UNKNOWN}. */
  public long reservedAt(int event) {
    return reserved.at(event);
  }

  /** The peak of the reserved bytes, or {@link #UNKNOWN}. */
  public long peakReservedBytes() {
    return reserved.peakBytes();
  }

  /** Reserved bytes as a step function: the events that change them, and the bytes after each. */
  private record Reserved(boolean isKnown, long before, IntColumn events, LongColumn after) {
    static Reserved of(DeviceSnapshot device) {
      List<RecordedTotals.Reserved> totals =
          device.facts().totals().map(RecordedTotals::reserved).orElse(List.of());
      return totals.isEmpty() ? ofSegments(device) : ofTotals(totals);
    }

    /** Before the first event, the total is not recorded. */
    private static Reserved ofTotals(List<RecordedTotals.Reserved> totals) {
      IntColumn.Builder events = new IntColumn.Builder();
      LongColumn.Builder after = new LongColumn.Builder();
      for (RecordedTotals.Reserved total : totals) {
        events.add(total.event());
        after.add(total.bytes());
      }
      return new Reserved(/* isKnown= */ true, UNKNOWN, events.build(), after.build());
    }

    private static Reserved ofSegments(DeviceSnapshot device) {
      Trace trace = device.trace();
      IntColumn.Builder events = new IntColumn.Builder();
      long change = 0;
      for (int event = 0; event < trace.size(); event++) {
        long delta = trace.reservedChange(event);
        if (delta != 0) {
          events.add(event);
          change += delta;
        }
      }
      long bytes = device.segments().stream().mapToLong(Segment::bytes).sum() - change;
      boolean isKnown =
          device.kind().hasSegments()
              && bytes >= 0
              && !(device.segments().isEmpty() && events.size() == 0);
      long before = bytes;
      LongColumn.Builder after = new LongColumn.Builder();
      for (int i = 0; i < events.size(); i++) {
        bytes += trace.reservedChange(events.get(i));
        isKnown &= bytes >= 0;
        after.add(bytes);
      }
      return new Reserved(isKnown, before, events.build(), after.build());
    }

    long at(int event) {
      if (!isKnown) {
        return UNKNOWN;
      }
      int low = 0;
      int high = events.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (events.get(middle) <= event) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low == 0 ? before : after.get(low - 1);
    }

    long peakBytes() {
      if (!isKnown) {
        return UNKNOWN;
      }
      long peak = before;
      for (int i = 0; i < after.size(); i++) {
        peak = Math.max(peak, after.get(i));
      }
      return peak;
    }
  }
}
