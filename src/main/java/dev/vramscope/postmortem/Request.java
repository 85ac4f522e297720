package dev.vramscope.postmortem;

import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;

/**
 * What was asked of the allocator.
 *
 * @param event the trace's event, or {@link Lifetimes#NEVER} for a hypothetical request
 * @param requestedBytes as recorded (PyTorch records the rounded request), or as hypothetical
 * @param roundedBytes the block that was needed
 * @param segmentBytes the most memory acquired from the driver when no block serves it
 * @param stream the stream
 * @param kind the size class
 * @param pool the pool; the default one where the trace does not record it
 * @param isPoolKnown whether the trace records it
 * @param timeMicros microseconds since 1970, or {@link Trace#NO_TIME}
 * @param stack an id in the snapshot's stack table; {@link StackTable#NONE} when not recorded
 * @param deviceFreeBytes what the driver had, or {@link OomEvent#UNKNOWN}
 */
public record Request(
    int event,
    long requestedBytes,
    long roundedBytes,
    long segmentBytes,
    long stream,
    PoolKind kind,
    PoolId pool,
    boolean isPoolKnown,
    long timeMicros,
    int stack,
    long deviceFreeBytes) {

  /** A request that failed. */
  static Request of(Trace trace, OomEvent oom, SizeRules sizes) {
    int event = oom.event();
    if (trace.action(event) != TraceAction.OOM) {
      throw new IllegalArgumentException(
          "event " + event + " is " + trace.action(event) + ", not a failed request");
    }
    long rounded = SizeRules.clamped(sizes.roundedBytes(oom.requestedBytes()));
    PoolId pool = trace.pool(event);
    return new Request(
        event,
        oom.requestedBytes(),
        rounded,
        sizes.acquiredBytes(rounded),
        trace.stream(event),
        sizes.kind(rounded),
        pool == null ? PoolId.DEFAULT : pool,
        pool != null,
        trace.timeMicros(event),
        trace.stack(event),
        oom.deviceFreeBytes());
  }

  /** A request of the default pool that nobody made: would these bytes fit at the end? */
  public static Request hypothetical(long requestedBytes, long stream, SizeRules sizes) {
    if (requestedBytes < 1) {
      throw new IllegalArgumentException(
          "a request has at least 1 byte, this one " + requestedBytes);
    }
    long rounded = SizeRules.clamped(sizes.roundedBytes(requestedBytes));
    return new Request(
        Lifetimes.NEVER,
        requestedBytes,
        rounded,
        sizes.acquiredBytes(rounded),
        stream,
        sizes.kind(rounded),
        PoolId.DEFAULT,
        true,
        Trace.NO_TIME,
        StackTable.NONE,
        OomEvent.UNKNOWN);
  }

  /** Whether it really was made, and failed. */
  public boolean isRecorded() {
    return event != Lifetimes.NEVER;
  }

  public boolean isDeviceFreeKnown() {
    return deviceFreeBytes != OomEvent.UNKNOWN;
  }
}
