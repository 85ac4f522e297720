package dev.vramscope.analysis.summary;

import dev.vramscope.model.PoolKind;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;

/** Peaks and totals of PyTorch's counters, from a complete trace. */
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
          allocation.increase(kind, 1);
          active.increase(kind, 1);
          requested.increase(kind, bytes);
        }
        case FREE_REQUESTED -> allocation.decrease(kind, 1);
        case FREE_COMPLETED -> {
          active.decrease(kind, 1);
          requested.decrease(kind, bytes);
        }
        case SEGMENT_ALLOC -> {
          segments.increase(sizes.kindOfSegment(bytes), 1);
          reserved.increase(sizes.kindOfSegment(bytes), bytes);
        }
        case SEGMENT_FREE -> {
          segments.decrease(sizes.kindOfSegment(bytes), 1);
          reserved.decrease(sizes.kindOfSegment(bytes), bytes);
        }
        // A small expandable segment grows by one small page at a time, but shrinks by several, so
        // the size of an unmap does not identify its pool.
        case SEGMENT_MAP -> reserved.increase(sizes.kindOfSegment(bytes), bytes);
        case SEGMENT_UNMAP -> {
          isPoolOfReservedKnown = false;
          reserved.decrease(sizes.kindOfSegment(bytes), bytes);
        }
        default -> {
          // Changes no counter.
        }
      }
    }
  }

  /** Whether the events, counted from zero, lead to the current values. */
  boolean leadsTo(Counters current) {
    return current.hasValue("allocation.all.current", allocation.current())
        && current.hasValue("active.all.current", active.current())
        && current.hasValue("requested_bytes.all.current", requested.current())
        && current.hasValue("reserved_bytes.all.current", reserved.current())
        && current.hasValue("segment.all.current", segments.current());
  }

  void putInto(Counters into) {
    allocation.put("allocation", /* isPoolKnown= */ true, into);
    active.put("active", /* isPoolKnown= */ true, into);
    requested.put("requested_bytes", /* isPoolKnown= */ true, into);
    reserved.put("reserved_bytes", isPoolOfReservedKnown, into);
    segments.put("segment", /* isPoolKnown= */ true, into);
    into.put("num_ooms", trace.ooms().size());
  }

  /** One metric for all pools, the small and the large one. */
  private static final class Metric {
    private final List<Series> series = List.of(new Series(), new Series(), new Series());

    void increase(PoolKind kind, long amount) {
      series.getFirst().increase(amount);
      series.get(1 + kind.ordinal()).increase(amount);
    }

    void decrease(PoolKind kind, long amount) {
      series.getFirst().decrease(amount);
      series.get(1 + kind.ordinal()).decrease(amount);
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
    private long increased;
    private long decreased;

    void increase(long amount) {
      current += amount;
      increased += amount;
      peak = Math.max(peak, current);
    }

    void decrease(long amount) {
      current -= amount;
      decreased += amount;
    }

    void put(String key, Counters into) {
      into.put(key + ".peak", peak);
      into.put(key + ".allocated", increased);
      into.put(key + ".freed", decreased);
    }
  }
}
