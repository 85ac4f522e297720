package dev.vramscope.analysis.timeline;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.stacks.StackSearch;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.BitSet;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects events of a trace. All conditions must hold.
 *
 * @param actions the actions; empty for all
 * @param stream the stream, if it matters
 * @param pool the pool, or null if it does not matter
 * @param leastBytes the smallest size of an event
 * @param mostBytes the largest size of an event
 * @param address an address in the memory that an event is about, if it matters: in the block,
 *     whose size is rounded to 512 bytes, the segment or the pages
 * @param stacks the recorded stack of an event, or null if it does not matter
 * @param window the events to choose from, or null for all
 * @param events the numbers of the events to choose from, or null for all
 */
public record EventFilter(
    Set<TraceAction> actions,
    OptionalLong stream,
    @Nullable PoolId pool,
    long leastBytes,
    long mostBytes,
    OptionalLong address,
    @Nullable StackSearch stacks,
    @Nullable EventWindow window,
    @Nullable BitSet events) {
  /** Selects every event. */
  public static final EventFilter ALL =
      new EventFilter(
          Set.of(),
          OptionalLong.empty(),
          null,
          0,
          Long.MAX_VALUE,
          OptionalLong.empty(),
          null,
          null,
          null);

  private static final long GRANULE_BYTES = 512;

  public EventFilter {
    actions = Set.copyOf(actions);
  }

  boolean selectsAll() {
    return equals(ALL);
  }

  boolean selects(Trace trace, int event) {
    return (events == null || events.get(event))
        && (actions.isEmpty() || actions.contains(trace.action(event)))
        && leastBytes <= trace.bytes(event)
        && trace.bytes(event) <= mostBytes
        && (stream.isEmpty() || stream.getAsLong() == trace.stream(event))
        && (pool == null || pool.equals(trace.pool(event)))
        && (address.isEmpty() || contains(trace, event, address.getAsLong()))
        && (stacks == null || stacks.matches(trace.stack(event)));
  }

  private static boolean contains(Trace trace, int event, long address) {
    return switch (trace.action(event)) {
      case ALLOC,
          FREE_REQUESTED,
          FREE_COMPLETED,
          SEGMENT_ALLOC,
          SEGMENT_FREE,
          SEGMENT_MAP,
          SEGMENT_UNMAP,
          ANNOTATE -> {
        long offset = address - trace.address(event);
        long granules = Math.max(0, trace.bytes(event) - 1) / GRANULE_BYTES + 1;
        yield offset >= 0 && offset / GRANULE_BYTES < granules;
      }
      case SNAPSHOT, OOM, USER_DEFINED, OTHER -> false;
    };
  }
}
