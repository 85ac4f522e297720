package dev.vramscope.analysis;

import dev.vramscope.model.PoolKind;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;

/** Peaks and totals of torch's counters, from a complete trace. */
final class TraceCounters {
  private final Trace trace;
  private final SizeRules sizes;
  private final Metric allocation = new Metric();
  private final Metric active = new Metric();
  private final Metric requested = new Metric();
  private final Metric reserved = new Metric();
  private final Metric segments = new Metric();
  private boolean isPoolOfReservedKnown = true;

  private TraceCounters(Trace trace, SizeRules sizes) {
    this.trace = trace;
    this.sizes = sizes;
  }

  static TraceCounters of(Trace trace, SizeRules sizes) {
    TraceCounters counters = new TraceCounters(trace, sizes);
    counters.count();
    return counters;
  }

  private void count() {
    for (int event = 0; event < trace.size(); event++) {
      long bytes = trace.bytes(event);
      PoolKind kind = sizes.kind(sizes.roundedBytes(bytes));
      TraceAction action = trace.action(event);
      switch (action) {
        case ALLOC -> {
          allocation.rise(kind, 1);
          active.rise(kind, 1);
          requested.rise(kind, bytes);
        }
        case FREE_REQUESTED -> allocation.fall(kind, 1);
        case FREE_COMPLETED -> {
          active.fall(kind, 1);
          requested.fall(kind, bytes);
        }
        case SEGMENT_ALLOC -> {
          segments.rise(sizes.kindOfSegment(bytes), 1);
          reserved.rise(sizes.kindOfSegment(bytes), bytes);
        }
        case SEGMENT_FREE -> {
          segments.fall(sizes.kindOfSegment(bytes), 1);
          reserved.fall(sizes.kindOfSegment(bytes), bytes);
        }
        // A small expandable segment grows by one small page at a time, but shrinks by many.
        case SEGMENT_MAP -> reserved.rise(sizes.kindOfSegment(bytes), bytes);
        case SEGMENT_UNMAP -> {
          isPoolOfReservedKnown = false;
          reserved.fall(sizes.kindOfSegment(bytes), bytes);
        }
        default -> {
          // Changes no counter.
        }
      }
    }
  }

  /** Whether the events, begun from nothing, lead to the current values. */
  boolean arrivesAt(Counters current) {
    return current.is("allocation.all.current", allocation.current())
        && current.is("active.all.current", active.current())
        && current.is("requested_bytes.all.current", requested.current())
        && current.is("reserved_bytes.all.current", reserved.current())
        && current.is("segment.all.current", segments.current());
  }

  void putInto(Counters into) {
    allocation.put("allocation", true, into);
    active.put("active", true, into);
    requested.put("requested_bytes", true, into);
    reserved.put("reserved_bytes", isPoolOfReservedKnown, into);
    segments.put("segment", true, into);
    into.put("num_ooms", trace.ooms().size());
  }

  /** One metric for all pools, the small and the large one. */
  private static final class Metric {
    private final List<Series> series = List.of(new Series(), new Series(), new Series());

    void rise(PoolKind kind, long amount) {
      series.getFirst().rise(amount);
      series.get(1 + kind.ordinal()).rise(amount);
    }

    void fall(PoolKind kind, long amount) {
      series.getFirst().fall(amount);
      series.get(1 + kind.ordinal()).fall(amount);
    }

    long current() {
      return series.getFirst().current;
    }

    void put(String metric, boolean isPoolKnown, Counters into) {
      series.getFirst().put(metric + ".all", into);
      if (isPoolKnown) {
        for (PoolKind kind : PoolKind.values()) {
          series.get(1 + kind.ordinal()).put(metric + "." + Counters.pool(kind), into);
        }
      }
    }
  }

  private static final class Series {
    private long current;
    private long peak;
    private long risen;
    private long fallen;

    void rise(long amount) {
      current += amount;
      risen += amount;
      peak = Math.max(peak, current);
    }

    void fall(long amount) {
      current -= amount;
      fallen += amount;
    }

    void put(String key, Counters into) {
      into.put(key + ".peak", peak);
      into.put(key + ".allocated", risen);
      into.put(key + ".freed", fallen);
    }
  }
}
