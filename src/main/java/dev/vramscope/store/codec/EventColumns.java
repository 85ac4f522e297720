package dev.vramscope.store.codec;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;

/**
 * A chunk of events as columns, one after another, each with all rows of the chunk:
 *
 * <pre>
 *   action   the code
 *   slot     0 for an address that is new in this chunk; otherwise slot + 1
 *   address  one per new slot, minus that of the previous slot
 *   bytes    minus those of the previous event at this address
 *   stack    minus that of the previous event at this address
 *   stream   number in the dictionary, minus that of the previous row
 *   time     minus that of the previous row
 *   pool     number in the dictionary + 1, or 0 if not recorded; minus that of the previous row
 * </pre>
 *
 * A free repeats the size and stack of its allocation, so most values are zero. Not thread-safe.
 */
final class EventColumns {
  /** The number of events of a full chunk. */
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
      ValueDictionary<Long> streams,
      ValueDictionary<PoolId> pools,
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
      int stream = streams.numberOf(trace.stream(event));
      columns[5].signed(stream - lastStream);
      lastStream = stream;
      columns[6].signed(trace.timeMicros(event) - lastTime);
      lastTime = trace.timeMicros(event);
      PoolId pool = trace.pool(event);
      int poolNumber = pool == null ? 0 : pools.numberOf(pool) + 1;
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
      trace.stream(first + row, valueAt(streams, stream, in));
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
        trace.pool(first + row, valueAt(pools, pool - 1, in));
      }
    }
    in.requireEnd();
  }

  private static void readStacks(
      ColumnReader in, int[] slotOf, int slotCount, int first, Trace.Builder trace) {
    int[] slotStack = new int[slotCount];
    int lastStack = 0;
    int seen = 0;
    for (int row = 0; row < slotOf.length; row++) {
      int slot = slotOf[row];
      if (slot
          == seen) { // Slots are numbered by first occurrence: this is the first event at the slot.
        slotStack[slot] = lastStack;
        seen++;
      }
      slotStack[slot] += (int) in.signed();
      lastStack = slotStack[slot];
      trace.stack(first + row, lastStack);
    }
  }

  private static <T> T valueAt(List<T> values, int number, ColumnReader in) {
    if (number < 0 || number >= values.size()) {
      throw in.unreadable("the number " + number + " is not below " + values.size());
    }
    return values.get(number);
  }
}
