package dev.vramscope.postmortem.cause;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.pool.ChunkRules;

/**
 * A request to the allocator, recorded or hypothetical.
 *
 * @param event the event in the trace, or {@link Lifetimes#NEVER} for a hypothetical request
 * @param requestedBytes as recorded (PyTorch records the rounded size), or the size of the
 *     hypothetical request
 * @param roundedBytes the block size that is needed
 * @param segmentBytes the memory to acquire from the driver if no free block is suitable; an upper
 *     limit for expandable segments
 * @param stream the stream
 * @param kind the size class
 * @param pool the pool; the default pool if the trace does not record it
 * @param isPoolKnown whether the trace records it
 * @param timeMicros microseconds since 1970, or {@link Trace#NO_TIME}
 * @param stack an id in the snapshot's stack table; {@link StackTable#NONE} when not recorded
 * @param deviceFreeBytes free memory of the device, or {@link OomEvent#UNKNOWN}
 * @param family the allocator's algorithm; pool, size class and stream matter only to the caching
 *     allocator
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
    long deviceFreeBytes,
    AllocatorFamily family) {
  /** A recorded request that failed. */
  public static Request of(Trace trace, OomEvent oom, SizeRules sizes, AllocatorFamily family) {
    int event = oom.event();
    if (trace.action(event) != TraceAction.OOM) {
      throw new IllegalArgumentException(
          "event " + event + " is " + trace.action(event) + ", not a failed request");
    }
    long rounded = roundedBytes(oom.requestedBytes(), sizes, family);
    PoolId pool = trace.pool(event);
    return new Request(
        event,
        oom.requestedBytes(),
        rounded,
        acquiredBytes(rounded, sizes, family),
        trace.stream(event),
        sizes.kind(rounded),
        pool == null ? PoolId.DEFAULT : pool,
        pool != null,
        trace.timeMicros(event),
        trace.stack(event),
        oom.deviceFreeBytes(),
        family);
  }

  private static long roundedBytes(long requested, SizeRules sizes, AllocatorFamily family) {
    return switch (family) {
      case CACHING -> SizeRules.clamped(sizes.roundedBytes(requested));
      case BFC -> ChunkRules.rounded(requested);
      case DIRECT, UNRECORDED -> SizeRules.clamped(requested);
    };
  }

  private static long acquiredBytes(long rounded, SizeRules sizes, AllocatorFamily family) {
    return family == AllocatorFamily.CACHING ? sizes.acquiredBytes(rounded) : rounded;
  }

  /** A hypothetical request in the default pool, in the final state. */
  public static Request hypothetical(
      long requestedBytes, long stream, SizeRules sizes, AllocatorFamily family) {
    if (requestedBytes < 1) {
      throw new IllegalArgumentException("a request must have at least 1 byte: " + requestedBytes);
    }
    long rounded = roundedBytes(requestedBytes, sizes, family);
    return new Request(
        Lifetimes.NEVER,
        requestedBytes,
        rounded,
        acquiredBytes(rounded, sizes, family),
        stream,
        sizes.kind(rounded),
        PoolId.DEFAULT,
        /* isPoolKnown= */ true,
        Trace.NO_TIME,
        StackTable.NONE,
        OomEvent.UNKNOWN,
        family);
  }

  /** Whether the free blocks of a segment can serve this request if they are large enough. */
  public boolean isPlacedIn(Segment segment) {
    return family != AllocatorFamily.CACHING
        || (segment.pool().equals(pool) && segment.kind() == kind && segment.stream() == stream);
  }

  /** Whether this is a recorded, failed request. */
  public boolean isRecorded() {
    return event != Lifetimes.NEVER;
  }

  public boolean isDeviceFreeKnown() {
    return deviceFreeBytes != OomEvent.UNKNOWN;
  }
}
