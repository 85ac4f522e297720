package dev.vramscope.format.export;

import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import org.jspecify.annotations.Nullable;

/**
 * One event as a row of a table, in the columns that all tables of events have.
 *
 * @param device the ordinal of the device
 * @param event its number in the trace of the device
 * @param action its name in the file, such as {@code alloc}
 * @param address first byte of the block or segment, unsigned; 0 if the event has none
 * @param bytes requested bytes of an allocation or free, segment bytes of a segment event, the
 *     recorded request of a failed one
 * @param stream the stream
 * @param pool the pool, or null if not recorded
 * @param timeMicros microseconds since 1970, or {@link Trace#NO_TIME}
 * @param stack an id in the snapshot's stack table, {@link StackTable#NONE} if not recorded
 * @param deviceFreeBytes free bytes on the device at a failed request, or {@link OomEvent#UNKNOWN}
 * @param userMetadata what the program attached to the event, or null
 * @param compileContext the compiled region, or null
 */
record EventRow(
    int device,
    int event,
    String action,
    long address,
    long bytes,
    long stream,
    @Nullable PoolId pool,
    long timeMicros,
    int stack,
    long deviceFreeBytes,
    @Nullable String userMetadata,
    @Nullable String compileContext) {
  /** The names of the columns, in the order of the record. */
  static final String[] COLUMNS = {
    "device",
    "event",
    "action",
    "address",
    "bytes",
    "stream",
    "pool",
    "time_us",
    "stack",
    "frames",
    "device_free_bytes",
    "user_metadata",
    "compile_context"
  };

  /** The address in hex, such as {@code 0x7f0000000000}; null if the event has none. */
  @Nullable String addressText() {
    return address == 0 ? null : "0x" + Long.toHexString(address);
  }

  /** The pool as PyTorch prints it, such as {@code (0, 0)}; null if not recorded. */
  @Nullable String poolText() {
    return pool == null ? null : pool.toString();
  }

  /** The name of an event's action in the file. */
  static String actionName(Trace trace, int event) {
    TraceAction action = trace.action(event);
    if (action != TraceAction.OTHER) {
      return action.torchName();
    }
    String name = trace.otherActions().of(event);
    return name == null ? action.torchName() : name;
  }
}
