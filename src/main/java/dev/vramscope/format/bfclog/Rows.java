package dev.vramscope.format.bfclog;

import dev.vramscope.model.ByteColumn;
import dev.vramscope.model.IntColumn;
import dev.vramscope.model.LongColumn;
import dev.vramscope.model.StackTable;

/** What happened in one allocator, a row each, in the order of the log. About 40 bytes a row. */
final class Rows {
  /** A request begins. */
  static final byte BEGIN = 0;

  /** A request was served. */
  static final byte ALLOCATE = 1;

  /** A block is freed; its address may be 0, which is unknown. */
  static final byte FREE = 2;

  /** A request failed. */
  static final byte FAIL = 3;

  /** A region was acquired. */
  static final byte REGION = 4;

  /** A region was released. */
  static final byte RELEASE = 5;

  /** A request failed that its client could do without. */
  static final byte TOLERATED = 6;

  /** A row that says nothing. */
  static final byte NOTHING = 7;

  /** A request begins that failed, according to a message. */
  static final byte FAILED_BEGIN = 8;

  /** A request begins that failed, and its client could do without. */
  static final byte TOLERATED_BEGIN = 9;

  /** A request was served, in a log that does not have the ends of requests. */
  static final byte RETURNED = 10;

  private final ByteColumn.Builder kinds = new ByteColumn.Builder();
  private final LongColumn.Builder addresses = new LongColumn.Builder();
  private final LongColumn.Builder bytes = new LongColumn.Builder();
  private final LongColumn.Builder micros = new LongColumn.Builder();
  private final LongColumn.Builder totals = new LongColumn.Builder();
  private final IntColumn.Builder stacks = new IntColumn.Builder();

  int size() {
    return kinds.size();
  }

  int add(byte kind, long address, long sizeBytes, long timeMicros) {
    kinds.add(kind);
    addresses.add(address);
    bytes.add(sizeBytes);
    micros.add(timeMicros);
    totals.add(-1);
    stacks.add(StackTable.NONE);
    return kinds.size() - 1;
  }

  byte kind(int row) {
    return kinds.get(row);
  }

  void kind(int row, byte kind) {
    kinds.set(row, kind);
  }

  long address(int row) {
    return addresses.get(row);
  }

  void address(int row, long address) {
    addresses.set(row, address);
  }

  long bytes(int row) {
    return bytes.get(row);
  }

  long micros(int row) {
    return micros.get(row);
  }

  int stack(int row) {
    return stacks.get(row);
  }

  void stack(int row, int stack) {
    stacks.set(row, stack);
  }

  /** The allocator's own total of chunks in use after the row; -1 if the log does not say it. */
  long total(int row) {
    return totals.get(row);
  }

  void total(int row, long inUseBytes) {
    totals.set(row, inUseBytes);
  }
}
