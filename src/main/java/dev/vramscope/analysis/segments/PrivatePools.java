package dev.vramscope.analysis.segments;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.IntColumn;
import dev.vramscope.model.LongColumn;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Reserved and active bytes of the private pools over time. What a private pool, such as that of a
 * captured graph, reserves is of no use to other requests, whether it is active or not.
 *
 * <p>Active bytes are requested bytes. An allocation belongs to the pool of the segment that
 * contains it.
 */
public final class PrivatePools {
  /** The pools with the most reserved bytes are listed; the others are one. */
  static final int MAX_NAMED = 6;

  private static final byte NO_POOL = -1;

  private final List<Pool> pools;

  private PrivatePools(List<Pool> pools) {
    this.pools = pools;
  }

  /** Without private pools, {@code history} is not asked for. */
  public static PrivatePools of(
      DeviceSnapshot device, Lifetimes lifetimes, Supplier<SegmentHistory> history) {
    boolean exist =
        device.segments().stream().map(Segment::pool).anyMatch(PoolId::isPrivate)
            || device.trace().distinctPools().stream().anyMatch(PoolId::isPrivate);
    return new PrivatePools(
        exist ? pools(lifetimes, history.get().held(), device.trace().size()) : List.of());
  }

  private static List<Pool> pools(
      Lifetimes lifetimes, List<SegmentHistory.Held> allHeld, int eventCount) {
    List<SegmentHistory.Held> held =
        allHeld.stream()
            .filter(each -> each.pool().isPrivate())
            .sorted(Comparator.comparingInt(SegmentHistory.Held::from))
            .toList();
    Map<PoolId, Long> bytes = new HashMap<>();
    held.forEach(each -> bytes.merge(each.pool(), each.bytes(), Long::sum));
    List<PoolId> ids =
        bytes.entrySet().stream()
            .sorted(
                Map.Entry.<PoolId, Long>comparingByValue()
                    .reversed()
                    .thenComparingLong(entry -> entry.getKey().graph())
                    .thenComparingLong(entry -> entry.getKey().user()))
            .map(Map.Entry::getKey)
            .toList();
    Map<PoolId, Integer> numbers = new HashMap<>();
    ids.forEach(id -> numbers.put(id, Math.min(numbers.size(), MAX_NAMED)));
    byte[] poolOf = poolsOfRows(lifetimes, held, numbers);
    List<Pool> pools = new ArrayList<>();
    for (int number = 0; number < Math.min(ids.size(), MAX_NAMED + 1); number++) {
      String name =
          number < MAX_NAMED
              ? "private pool " + ids.get(number)
              : "other private pools (" + (ids.size() - MAX_NAMED) + ")";
      long[] reserved = new long[eventCount + 1];
      for (SegmentHistory.Held each : held) {
        if (numbers.getOrDefault(each.pool(), -1) == number) {
          add(reserved, each.from(), each.to(), each.bytes());
        }
      }
      long[] active = new long[eventCount + 1];
      for (int row = 0; row < poolOf.length; row++) {
        if (poolOf[row] == number) {
          add(
              active,
              lifetimes.allocationEvent(row),
              lifetimes.endEvent(row),
              lifetimes.bytes(row));
        }
      }
      pools.add(new Pool(name, steps(reserved, active)));
    }
    return List.copyOf(pools);
  }

  private static void add(long[] change, int from, int to, long bytes) {
    change[from == Lifetimes.BEFORE_RECORDING ? 0 : from + 1] += bytes;
    if (to != Lifetimes.NEVER) {
      change[to + 1] -= bytes;
    }
  }

  /** One pass over the time: rows are in the order of their allocation. */
  private static byte[] poolsOfRows(
      Lifetimes lifetimes, List<SegmentHistory.Held> byStart, Map<PoolId, Integer> numbers) {
    byte[] poolOf = new byte[lifetimes.size()];
    Arrays.fill(poolOf, NO_POOL);
    List<SegmentHistory.Held> byEnd =
        byStart.stream().sorted(Comparator.comparingInt(SegmentHistory.Held::to)).toList();
    TreeMap<Long, SegmentHistory.Held> open = new TreeMap<>(Long::compareUnsigned);
    int started = 0;
    int ended = 0;
    for (int row = 0; row < poolOf.length; row++) {
      int event = lifetimes.allocationEvent(row);
      while (started < byStart.size() && byStart.get(started).from() <= event) {
        // One that begins where another of the same place ends must not be removed by that end.
        SegmentHistory.Held next = byStart.get(started++);
        open.merge(next.address(), next, (one, other) -> one.to() > other.to() ? one : other);
      }
      while (ended < byEnd.size() && byEnd.get(ended).to() <= event) {
        SegmentHistory.Held gone = byEnd.get(ended++);
        open.remove(gone.address(), gone);
      }
      Map.Entry<Long, SegmentHistory.Held> below = open.floorEntry(lifetimes.address(row));
      if (below != null
          && Long.compareUnsigned(lifetimes.address(row), below.getValue().end()) < 0) {
        poolOf[row] = (byte) (int) numbers.getOrDefault(below.getValue().pool(), -1);
      }
    }
    return poolOf;
  }

  private static Steps steps(long[] reserved, long[] active) {
    IntColumn.Builder events = new IntColumn.Builder();
    LongColumn.Builder reservedAfter = new LongColumn.Builder();
    LongColumn.Builder activeAfter = new LongColumn.Builder();
    long reservedBytes = 0;
    long activeBytes = 0;
    for (int i = 0; i < reserved.length; i++) {
      reservedBytes += reserved[i];
      activeBytes += active[i];
      if (i == 0 || reserved[i] != 0 || active[i] != 0) {
        events.add(i - 1);
        reservedAfter.add(reservedBytes);
        activeAfter.add(activeBytes);
      }
    }
    return new Steps(events.build(), reservedAfter.build(), activeAfter.build());
  }

  /** The pools, those with the most reserved bytes first. */
  public List<Pool> pools() {
    return pools;
  }

  /** A private pool, or the sum of several. */
  public static final class Pool {
    private final String name;
    private final Steps steps;

    private Pool(String name, Steps steps) {
      this.name = name;
      this.steps = steps;
    }

    public String name() {
      return name;
    }

    /** Reserved bytes after an event. */
    public long reservedAt(int event) {
      return steps.reserved().get(steps.at(event));
    }

    /** Active requested bytes after an event. */
    public long activeAt(int event) {
      return steps.active().get(steps.at(event));
    }
  }

  /** The events that change something, and the bytes after each; the first is before all. */
  private record Steps(IntColumn events, LongColumn reserved, LongColumn active) {
    int at(int event) {
      int low = 0;
      int high = events.size();
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (events.get(middle) <= event) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
