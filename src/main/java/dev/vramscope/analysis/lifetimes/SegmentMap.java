package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The segments of a device at a moment: those of the final state with all later segment events
 * undone, in reverse order.
 *
 * <p>An expandable segment is a run of mapped pages. Undoing a map removes the pages from their
 * run; undoing an unmap adds them again and joins them with the adjacent runs.
 */
public final class SegmentMap {
  private final TreeMap<Long, Segment> segments = new TreeMap<>(Long::compareUnsigned);
  private long mismatches;

  private SegmentMap() {}

  static SegmentMap at(DeviceSnapshot device, SizeRules sizes, int event) {
    SegmentMap map = new SegmentMap();
    for (Segment segment : device.segments()) {
      map.segments.put(segment.address(), segment);
    }
    Trace trace = device.trace();
    for (int later = trace.size() - 1; later > event; later--) {
      switch (trace.action(later)) {
        case SEGMENT_ALLOC -> map.removeSegment(trace, later);
        case SEGMENT_FREE -> map.add(released(trace, later, sizes));
        case SEGMENT_MAP -> map.cut(trace.address(later), trace.bytes(later));
        case SEGMENT_UNMAP -> map.join(released(trace, later, sizes));
        default -> {
          // Changes no segment.
        }
      }
    }
    return map;
  }

  /** In address order. Their blocks are those of the final state and do not apply to the moment. */
  List<Segment> segments() {
    return List.copyOf(segments.values());
  }

  /** Number of segment events that did not match the segments. */
  long mismatches() {
    return mismatches;
  }

  /** The segment, or the pages, that an event released or unmapped. */
  public static Segment released(Trace trace, int event, SizeRules sizes) {
    PoolId pool = trace.pool(event);
    boolean expandable = trace.action(event) == TraceAction.SEGMENT_UNMAP;
    long bytes = trace.bytes(event);
    PoolKind kind =
        expandable && bytes % sizes.pageBytes(PoolKind.LARGE) == 0
            ? PoolKind.LARGE
            : sizes.kindOfSegment(bytes);
    // The event has the stack of the release; the stack that acquired the segment is unknown.
    return new Segment(
        trace.address(event),
        bytes,
        trace.stream(event),
        kind,
        pool == null ? PoolId.DEFAULT : pool,
        expandable,
        StackTable.NONE,
        List.of());
  }

  private void removeSegment(Trace trace, int event) {
    Segment segment = segments.remove(trace.address(event));
    if (segment == null || segment.bytes() != trace.bytes(event)) {
      mismatches++;
    }
  }

  private void add(Segment segment) {
    if (overlaps(segment)) {
      mismatches++;
      return;
    }
    segments.put(segment.address(), segment);
  }

  private boolean overlaps(Segment segment) {
    Map.Entry<Long, Segment> below = segments.lowerEntry(segment.end());
    return below != null && Long.compareUnsigned(below.getValue().end(), segment.address()) > 0;
  }

  private void cut(long address, long bytes) {
    Map.Entry<Long, Segment> below = segments.floorEntry(address);
    long end = address + bytes;
    if (below == null || Long.compareUnsigned(below.getValue().end(), end) < 0) {
      mismatches++;
      return;
    }
    Segment run = below.getValue();
    segments.remove(run.address());
    if (address != run.address()) {
      add(resized(run, run.address(), address));
    }
    if (end != run.end()) {
      add(resized(run, end, run.end()));
    }
  }

  private void join(Segment pages) {
    if (overlaps(pages)) {
      mismatches++;
      return;
    }
    Map.Entry<Long, Segment> below = segments.lowerEntry(pages.address());
    Segment above = segments.get(pages.end());
    Segment joined = pages;
    if (above != null && canJoin(above, pages)) {
      segments.remove(above.address());
      joined = resized(above, pages.address(), above.end());
    }
    if (below != null
        && below.getValue().end() == pages.address()
        && canJoin(below.getValue(), joined)) {
      joined = resized(below.getValue(), below.getKey(), joined.end());
    }
    segments.put(joined.address(), joined);
  }

  /** Ignores the size class, which is a guess for unmapped pages and certain for a run. */
  private static boolean canJoin(Segment run, Segment pages) {
    return run.expandable() && run.stream() == pages.stream();
  }

  private static Segment resized(Segment run, long address, long end) {
    return new Segment(
        address,
        end - address,
        run.stream(),
        run.kind(),
        run.pool(),
        /* expandable= */ true,
        run.stack(),
        run.blocks());
  }
}
