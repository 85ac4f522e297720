package dev.vramscope.analysis.segments;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.lifetimes.SegmentMap;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.IntColumn;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory that an allocator held over time, as rectangles of addresses and events:
 *
 * <pre>
 *   address                      ┌──────────┐      pages of an expandable segment, mapped
 *      ▲             ┌───────────┴──────────┤      and unmapped in pieces
 *      │             └──────────────────────┘
 *      │  ┌─────────────────────────────────────   a segment that is held at the end
 *      │  └─────────────────────────────────────
 *      └──────────────────────────────────────▶ events
 * </pre>
 *
 * Reconstructed backwards from the final segments: the later segment events are undone in reverse
 * order, as in {@link SegmentMap}. An event that contradicts them is counted and left out.
 */
public final class SegmentHistory {
  /** No device has addresses above this; sums of sizes below it do not overflow. */
  private static final long MAX_ADDRESS = 1L << 62;

  private static final Comparator<Held> BY_ADDRESS =
      Comparator.comparing(Held::address, Long::compareUnsigned).thenComparingInt(Held::from);

  private final Trace trace;
  private final List<Held> held;
  private final IntColumn events;
  private final long contradictionCount;

  private SegmentHistory(Trace trace, List<Held> held, IntColumn events, long contradictionCount) {
    this.trace = trace;
    this.held = held;
    this.events = events;
    this.contradictionCount = contradictionCount;
  }

  /**
   * Memory that was held without a break: a segment, or pages of an expandable segment.
   *
   * @param address first byte, unsigned
   * @param from the event that acquired or mapped it, or {@link Lifetimes#BEFORE_RECORDING}
   * @param to the event that released or unmapped it, or {@link Lifetimes#NEVER}
   */
  public record Held(
      long address,
      long bytes,
      int from,
      int to,
      long stream,
      PoolKind kind,
      PoolId pool,
      boolean expandable) {
    /** One past the last byte. */
    public long end() {
      return address + bytes;
    }

    /** Whether it is held after an event. */
    public boolean isHeldAt(int event) {
      return from <= event && event < to;
    }

    private Held part(long first, long last) {
      return new Held(first, last - first, from, to, stream, kind, pool, expandable);
    }

    private Held since(int event) {
      return new Held(address, bytes, event, to, stream, kind, pool, expandable);
    }
  }

  /** Scans the trace once, from its end. */
  public static SegmentHistory of(DeviceSnapshot device, SizeRules sizes) {
    return new Scan(device, sizes).run();
  }

  /** In address order, then in order of time. */
  public List<Held> held() {
    return held;
  }

  /** The events that acquire, release, map or unmap, ascending. */
  public IntColumn events() {
    return events;
  }

  /** Whether one of these events acquires or maps memory; otherwise it releases or unmaps. */
  boolean isAcquiring(int event) {
    return trace.action(event).acquires();
  }

  /** Bytes that one of these events acquires or releases. */
  long bytes(int event) {
    return trace.bytes(event);
  }

  /** Number of segment events that contradict each other or the final segments. */
  public long contradictionCount() {
    return contradictionCount;
  }

  /** Undoes the events; {@code open} is what is held after the event that is undone next. */
  private static final class Scan {
    private final DeviceSnapshot device;
    private final SizeRules sizes;
    private final TreeMap<Long, Held> open = new TreeMap<>(Long::compareUnsigned);
    private final List<Held> closed = new ArrayList<>();
    private long contradictions;

    Scan(DeviceSnapshot device, SizeRules sizes) {
      this.device = device;
      this.sizes = sizes;
    }

    SegmentHistory run() {
      for (Segment segment : device.segments()) {
        open(held(segment, Lifetimes.NEVER));
      }
      Trace trace = device.trace();
      for (int event = trace.size() - 1; event >= 0; event--) {
        switch (trace.action(event)) {
          case SEGMENT_ALLOC -> acquired(trace.address(event), trace.bytes(event), event);
          case SEGMENT_MAP -> mapped(trace.address(event), trace.bytes(event), event);
          case SEGMENT_FREE, SEGMENT_UNMAP ->
              open(held(SegmentMap.released(trace, event, sizes), event));
          default -> {
            // Changes no segment.
          }
        }
      }
      closed.addAll(open.values());
      closed.sort(BY_ADDRESS);
      return new SegmentHistory(trace, List.copyOf(closed), events(trace), contradictions);
    }

    private static IntColumn events(Trace trace) {
      IntColumn.Builder events = new IntColumn.Builder();
      for (int event = 0; event < trace.size(); event++) {
        if (trace.action(event).isOfSegment()) {
          events.add(event);
        }
      }
      return events.build();
    }

    private static Held held(Segment segment, int to) {
      return new Held(
          segment.address(),
          segment.bytes(),
          Lifetimes.BEFORE_RECORDING,
          to,
          segment.stream(),
          segment.kind(),
          segment.pool(),
          segment.expandable());
    }

    private void open(Held added) {
      Map.Entry<Long, Held> below = open.lowerEntry(added.end());
      boolean overlaps =
          below != null && Long.compareUnsigned(below.getValue().end(), added.address()) > 0;
      if (overlaps || !isPossible(added.address(), added.end())) {
        contradictions++;
      } else {
        open.put(added.address(), added);
      }
    }

    private void acquired(long address, long bytes, int event) {
      Held held = open.get(address);
      if (held == null || held.bytes() != bytes) {
        contradictions++;
      }
      if (held != null) {
        open.remove(address);
        closed.add(held.since(event));
      }
    }

    /** Pages that were mapped together may have been unmapped in parts, at several events. */
    private void mapped(long address, long bytes, int event) {
      long end = address + bytes;
      if (!isHeld(address, end)) {
        contradictions++;
        return;
      }
      split(address);
      split(end);
      Map<Long, Held> pages = open.subMap(address, end);
      for (Held page : pages.values()) {
        closed.add(page.since(event));
      }
      pages.clear();
    }

    private boolean isHeld(long address, long end) {
      if (!isPossible(address, end)) {
        return false;
      }
      long next = address;
      while (Long.compareUnsigned(next, end) < 0) {
        Map.Entry<Long, Held> at = open.floorEntry(next);
        if (at == null || Long.compareUnsigned(at.getValue().end(), next) <= 0) {
          return false;
        }
        next = at.getValue().end();
      }
      return true;
    }

    private static boolean isPossible(long address, long end) {
      return address >= 0 && address < end && end <= MAX_ADDRESS;
    }

    private void split(long address) {
      Map.Entry<Long, Held> below = open.lowerEntry(address);
      if (below != null && Long.compareUnsigned(below.getValue().end(), address) > 0) {
        Held whole = below.getValue();
        open.put(whole.address(), whole.part(whole.address(), address));
        open.put(address, whole.part(address, whole.end()));
      }
    }
  }
}
