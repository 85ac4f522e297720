package dev.vramscope.analysis;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
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
 * @param stacks the recorded stack of an event, or null if it does not matter
 */
public record EventFilter(
    Set<TraceAction> actions,
    OptionalLong stream,
    @Nullable PoolId pool,
    long leastBytes,
    long mostBytes,
    @Nullable StackSearch stacks) {
  /** Selects every event. */
  public static final EventFilter ALL =
      new EventFilter(Set.of(), OptionalLong.empty(), null, 0, Long.MAX_VALUE, null);

  public EventFilter {
    actions = Set.copyOf(actions);
  }

  boolean selectsAll() {
    return equals(ALL);
  }

  boolean selects(Trace trace, int event) {
    return (actions.isEmpty() || actions.contains(trace.action(event)))
        && leastBytes <= trace.bytes(event)
        && trace.bytes(event) <= mostBytes
        && (stream.isEmpty() || stream.getAsLong() == trace.stream(event))
        && (pool == null || pool.equals(trace.pool(event)))
        && (stacks == null || stacks.matches(trace.stack(event)));
  }
}
