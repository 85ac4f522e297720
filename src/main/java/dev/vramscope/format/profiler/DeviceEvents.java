package dev.vramscope.format.profiler;

import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.LongColumn;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The memory events of one device, in the order of the file until they become a trace.
 *
 * <p>Files of 2021 have no addresses. There each allocation gets a number of its own, and a free is
 * that of the oldest live allocation of its size: sums are right, lifetimes are guesses.
 */
final class DeviceEvents {
  private static final long FIRST_NUMBER = 1L << 40;

  private final LongColumn.Builder nanos = new LongColumn.Builder();
  private final LongColumn.Builder addresses = new LongColumn.Builder();
  private final LongColumn.Builder bytes = new LongColumn.Builder();
  private final LongColumn.Builder failed = new LongColumn.Builder();
  private final Map<Long, Deque<Long>> live = new HashMap<>();
  private long nextNumber = FIRST_NUMBER;
  private boolean isAddressed = true;
  private long beforeBytes = -1;
  private long mostReserved = -1;

  void add(MemoryEvent event) {
    if (beforeBytes < 0 && event.allocated() >= 0 && !event.isFailure()) {
      beforeBytes = Math.max(0, event.allocated() - event.bytes());
    }
    mostReserved = Math.max(mostReserved, event.reserved());
    nanos.add(Math.round(event.micros() * 1000));
    bytes.add(event.bytes());
    failed.add(event.isFailure() ? 1 : 0);
    addresses.add(event.isFailure() ? 0 : event.hasAddress() ? event.address() : number(event));
  }

  private long number(MemoryEvent event) {
    isAddressed = false;
    long size = Math.abs(event.bytes());
    Deque<Long> same = live.computeIfAbsent(size, _ -> new ArrayDeque<>());
    if (event.bytes() < 0 && !same.isEmpty()) {
      return same.removeFirst();
    }
    long number = nextNumber;
    nextNumber += size;
    if (event.bytes() > 0) {
      same.addLast(number);
    }
    return number;
  }

  boolean isAddressed() {
    return isAddressed;
  }

  /** Allocated before the first event; negative if it is not recorded. */
  long beforeBytes() {
    return beforeBytes;
  }

  /** The most that PyTorch had reserved after an event; negative if it is not recorded. */
  long mostReserved() {
    return mostReserved;
  }

  /**
   * The device with its trace.
   *
   * @param baseNanos what the times are relative to
   */
  DeviceSnapshot device(int ordinal, long baseNanos, OptionalLong deviceBytes) {
    LongColumn times = nanos.build();
    LongColumn where = addresses.build();
    LongColumn sizes = bytes.build();
    LongColumn failures = failed.build();
    Trace.Builder trace = new Trace.Builder();
    for (int row : order(times)) {
      long size = Math.abs(sizes.get(row));
      int event;
      if (failures.get(row) == 1) {
        event = trace.add(TraceAction.OOM, 0, size);
        trace.oom(event, size, OomEvent.UNKNOWN);
      } else {
        boolean isFree = sizes.get(row) < 0;
        event =
            trace.add(
                isFree ? TraceAction.FREE_COMPLETED : TraceAction.ALLOC, where.get(row), size);
      }
      trace.timeMicros(event, (baseNanos + times.get(row)) / 1000);
    }
    return new DeviceSnapshot(
        ordinal,
        List.of(),
        trace.build(),
        List.of(),
        new AllocatorFacts(
            AllocatorFamily.UNRECORDED,
            deviceBytes,
            OptionalLong.empty(),
            OptionalLong.empty(),
            /* isSimulated= */ false));
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
