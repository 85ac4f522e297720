package dev.vramscope.store.codec;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;

/**
 * A chunk of events as columns, one behind the other, each over all rows of the chunk:
 *
 * <pre>
 *   action   its code
 *   slot     0: an address not met in this chunk, told in the next column; else slot + 1
 *   address  of the new slots, less the one before
 *   bytes    less those of the event before at this address
 *   stack    less that of the event before at this address
 *   stream   number, less that of the row before
 *   time     less that of the row before
 *   pool     number + 1, 0 when not recorded, less that of the row before
 * </pre>
 *
 * A free says again what its allocation said, so most of it is zeros. Not thread-safe.
 */
final class EventColumns {
  /** Events of a full chunk. */
  static final int ROWS = 1 << 16;

  private static final int COLUMNS = 8;

  private final ColumnWriter[] columns = new ColumnWriter[COLUMNS];
  private final AddressSlots slots = new AddressSlots();
  private final long[] slotBytes = new long[ROWS];
  private final int[] slotStack = new int[ROWS];

  EventColumns() {
    for (int column = 0; column < COLUMNS; column++) {
      columns[column] = new ColumnWriter();
    }
  }

  /** Writes the events {@code from} to {@code to}, exclusive. */
  void write(
      Trace trace,
      int from,
      int to,
      Numbering<Long> streams,
      Numbering<PoolId> pools,
      ColumnWriter out) {
    slots.clear();
    long lastAddress = 0;
    long lastTime = 0;
    int lastStack = 0;
    int lastStream = 0;
    int lastPool = 0;
    for (int event = from; event < to; event++) {
      columns[0].raw(trace.action(event).code());
      long address = trace.address(event);
      int slot = slots.find(address);
      columns[1].number(slot + 1);
      if (slot < 0) {
        columns[2].signed(address - lastAddress);
        lastAddress = address;
        slot = slots.count() - 1;
        slotBytes[slot] = 0;
        slotStack[slot] = lastStack;
      }
      columns[3].signed(trace.bytes(event) - slotBytes[slot]);
      slotBytes[slot] = trace.bytes(event);
      lastStack = trace.stack(event);
      columns[4].signed(lastStack - slotStack[slot]);
      slotStack[slot] = lastStack;
      int stream = streams.of(trace.stream(event));
      columns[5].signed(stream - lastStream);
      lastStream = stream;
      columns[6].signed(trace.timeMicros(event) - lastTime);
      lastTime = trace.timeMicros(event);
      PoolId pool = trace.pool(event);
      int poolNumber = pool == null ? 0 : pools.of(pool) + 1;
      columns[7].signed(poolNumber - lastPool);
      lastPool = poolNumber;
    }
    for (ColumnWriter column : columns) {
      out.append(column);
      column.clear();
    }
  }

  /** Adds the events of a chunk to a trace. */
  static void read(
      ColumnReader in, int rows, List<Long> streams, List<PoolId> pools, Trace.Builder trace) {
    int first = trace.size();
    byte[] actions = new byte[rows];
    for (int row = 0; row < rows; row++) {
      actions[row] = (byte) in.index(TraceAction.values().length);
    }
    int[] slotOf = new int[rows];
    int slotCount = 0;
    for (int row = 0; row < rows; row++) {
      int slot = in.index(slotCount + 1) - 1;
      slotOf[row] = slot < 0 ? slotCount++ : slot;
    }
    long[] slotAddress = new long[slotCount];
    long lastAddress = 0;
    for (int slot = 0; slot < slotCount; slot++) {
      lastAddress += in.signed();
      slotAddress[slot] = lastAddress;
    }
    long[] slotBytes = new long[slotCount];
    for (int row = 0; row < rows; row++) {
      int slot = slotOf[row];
      slotBytes[slot] += in.signed();
      trace.add(TraceAction.ofCode(actions[row]), slotAddress[slot], slotBytes[slot]);
    }
    readStacks(in, slotOf, slotCount, first, trace);
    int stream = 0;
    for (int row = 0; row < rows; row++) {
      stream += (int) in.signed();
      trace.stream(first + row, of(streams, stream, in));
    }
    long time = 0;
    for (int row = 0; row < rows; row++) {
      time += in.signed();
      trace.timeMicros(first + row, time);
    }
    int pool = 0;
    for (int row = 0; row < rows; row++) {
      pool += (int) in.signed();
      if (pool != 0) {
        trace.pool(first + row, of(pools, pool - 1, in));
      }
    }
    in.end();
  }

  private static void readStacks(
      ColumnReader in, int[] slotOf, int slotCount, int first, Trace.Builder trace) {
    int[] slotStack = new int[slotCount];
    int lastStack = 0;
    int met = 0;
    for (int row = 0; row < slotOf.length; row++) {
      int slot = slotOf[row];
      if (slot == met) { // Slots are numbered as they are met: this is the first event there.
        slotStack[slot] = lastStack;
        met++;
      }
      slotStack[slot] += (int) in.signed();
      lastStack = slotStack[slot];
      trace.stack(first + row, lastStack);
    }
  }

  private static <T> T of(List<T> values, int number, ColumnReader in) {
    if (number < 0 || number >= values.size()) {
      throw in.damaged("the number " + number + " is not below " + values.size());
    }
    return values.get(number);
  }
}
