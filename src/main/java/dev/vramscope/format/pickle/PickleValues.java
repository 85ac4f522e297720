package dev.vramscope.format.pickle;

import dev.vramscope.model.LongColumn;

/** The values of one file that do not fit into a {@link Cell}. Not thread-safe. */
public final class PickleValues {
  private static final int HALF = 29;
  private static final long HALF_MASK = (1L << HALF) - 1;

  private final PickleTexts texts;
  private final LongColumn.Builder wide = new LongColumn.Builder();

  public PickleValues(PickleTexts texts) {
    this.texts = texts;
  }

  public PickleTexts texts() {
    return texts;
  }

  /** The cell of a signed number. */
  public long integer(long value) {
    long cell = Cell.of(Cell.INT, value);
    return Cell.payload(cell) == value ? cell : Cell.of(Cell.WIDE, (long) store(value) << 1);
  }

  /** The cell of an unsigned 64-bit number. */
  public long unsigned(long bits) {
    return bits >= 0 ? integer(bits) : Cell.of(Cell.WIDE, (long) store(bits) << 1 | 1);
  }

  public long floating(double value) {
    return Cell.of(Cell.FLOAT, store(Double.doubleToRawLongBits(value)));
  }

  /**
   * The cell of a tuple of two integers, which has the numbers themselves if both are below 2^29.
   */
  public long pair(long firstCell, long secondCell) {
    long first = bits(firstCell);
    long second = bits(secondCell);
    if ((first & ~HALF_MASK) == 0 && (second & ~HALF_MASK) == 0) {
      return Cell.of(Cell.PAIR, (first << HALF | second) << 1);
    }
    long index = store(first);
    store(second);
    return Cell.of(Cell.PAIR, index << 1 | 1);
  }

  /** Whether a cell is an integer, of any width. */
  public static boolean isInteger(long cell) {
    int tag = Cell.tag(cell);
    return tag == Cell.INT || tag == Cell.WIDE;
  }

  /** Whether an integer is above 2^63 - 1, so that {@link #bits} is negative. */
  public static boolean isAboveLong(long cell) {
    return Cell.tag(cell) == Cell.WIDE && (Cell.payload(cell) & 1) != 0;
  }

  /** The 64 bits of an integer. */
  public long bits(long cell) {
    long payload = Cell.payload(cell);
    return Cell.tag(cell) == Cell.INT ? payload : wide.get((int) (payload >> 1));
  }

  public double floating(long cell) {
    return Double.longBitsToDouble(wide.get((int) Cell.payload(cell)));
  }

  public long first(long pair) {
    long payload = Cell.payload(pair);
    return (payload & 1) == 0 ? payload >> 1 >> HALF : wide.get((int) (payload >> 1));
  }

  public long second(long pair) {
    long payload = Cell.payload(pair);
    return (payload & 1) == 0 ? payload >> 1 & HALF_MASK : wide.get((int) (payload >> 1) + 1);
  }

  /** The string of a text cell. */
  public String text(long cell) {
    return texts.text((int) Cell.payload(cell));
  }

  private int store(long bits) {
    wide.add(bits);
    return wide.size() - 1;
  }
}
