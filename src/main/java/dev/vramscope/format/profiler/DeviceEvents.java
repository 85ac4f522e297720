package dev.vramscope.format.profiler;

import dev.vramscope.format.UnaddressedBlocks;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.ByteColumn;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.LongColumn;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The memory events of one device, in the order of the file until they become a trace.
 *
 * <p>Files of 2021 have no addresses. There each allocation gets a number of its own, and a free is
 * that of the oldest live allocation of its size: sums are right, lifetimes are guesses.
 */
final class DeviceEvents {
  /** No total beside an event, as in files of 2021. */
  private static final long NONE = -1;

  private final LongColumn.Builder nanos = new LongColumn.Builder();
  private final LongColumn.Builder addresses = new LongColumn.Builder();
  private final LongColumn.Builder bytes = new LongColumn.Builder();
  private final LongColumn.Builder allocated = new LongColumn.Builder();
  private final LongColumn.Builder reserved = new LongColumn.Builder();
  private final ByteColumn.Builder failed = new ByteColumn.Builder();
  private final UnaddressedBlocks unaddressed = new UnaddressedBlocks();
  private boolean isAddressed = true;

  void add(MemoryEvent event) {
    nanos.add(Math.round(event.micros() * 1000));
    bytes.add(event.bytes());
    allocated.add(Math.max(NONE, event.allocated()));
    reserved.add(Math.max(NONE, event.reserved()));
    failed.add((byte) (event.isFailure() ? 1 : 0));
    addresses.add(event.isFailure() ? 0 : event.hasAddress() ? event.address() : number(event));
  }

  private long number(MemoryEvent event) {
    isAddressed = false;
    return event.bytes() > 0
        ? unaddressed.allocate(event.bytes())
        : unaddressed.freeOrUnused(Math.abs(event.bytes()));
  }

  boolean isAddressed() {
    return isAddressed;
  }

  /**
   * The device with its trace.
   *
   * @param baseNanos what the times are relative to
   * @param findings gets what the totals beside the events say
   */
  DeviceSnapshot device(
      int ordinal, long baseNanos, OptionalLong deviceBytes, List<Finding> findings) {
    LongColumn times = nanos.build();
    LongColumn where = addresses.build();
    LongColumn sizes = bytes.build();
    LongColumn totals = allocated.build();
    LongColumn held = reserved.build();
    ByteColumn failures = failed.build();
    Trace.Builder trace = new Trace.Builder();
    EventTotals beside = new EventTotals();
    for (int row : order(times)) {
      long size = Math.abs(sizes.get(row));
      boolean isFailure = failures.get(row) == 1;
      int event;
      if (isFailure) {
        event = trace.add(TraceAction.OOM, 0, size);
        trace.oom(event, size, OomEvent.UNKNOWN);
      } else {
        boolean isFree = sizes.get(row) < 0;
        event =
            trace.add(
                isFree ? TraceAction.FREE_COMPLETED : TraceAction.ALLOC, where.get(row), size);
      }
      trace.timeMicros(event, (baseNanos + times.get(row)) / 1000);
      beside.add(event, isFailure ? 0 : sizes.get(row), totals.get(row), held.get(row));
    }
    beside.addFindings(ordinal, findings);
    return new DeviceSnapshot(
        ordinal,
        List.of(),
        trace.build(),
        List.of(),
        AllocatorFacts.ofRequests(deviceBytes, beside.recorded()));
  }

  /** The rows by time; those of one moment as in the file. */
  private static int[] order(LongColumn times) {
    boolean isSorted = true;
    for (int row = 1; row < times.size() && isSorted; row++) {
      isSorted = times.get(row - 1) <= times.get(row);
    }
    IntStream rows = IntStream.range(0, times.size());
    return isSorted
        ? rows.toArray()
        : rows.boxed()
            .sorted(Comparator.comparingLong(times::get))
            .mapToInt(Integer::intValue)
            .toArray();
  }
}
