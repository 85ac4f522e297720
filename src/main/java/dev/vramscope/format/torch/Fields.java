package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.format.pickle.Values;

/** Reads the cells of a row as what its keys promise, or refuses them with their path. */
final class Fields {
  /** More than any device has; below it, bytes are exact in a double and sums cannot overflow. */
  static final long MAX_BYTES = 1L << 50;

  private final Values values;

  Fields(Values values) {
    this.values = values;
  }

  /** The row to which a value belongs. */
  interface Row {
    /** The path of the row that is open, such as {@code segments[3].blocks[7]}. */
    String path();
  }

  Values values() {
    return values;
  }

  /** A size in bytes of a segment or block. */
  long sizeBytes(long cell, Row row, Key key) throws FormatException {
    long bytes = nonNegative(cell, row, key);
    if (bytes > MAX_BYTES) {
      throw wrong(row, key, bytes + " bytes are more than any device has");
    }
    return bytes;
  }

  /** A number from 0 to 2^63 - 1. */
  long nonNegative(long cell, Row row, Key key) throws FormatException {
    long value = integer(cell, row, key);
    if (value < 0) {
      throw Values.isAboveLong(cell)
          ? wrong(row, key, Long.toUnsignedString(value) + " is outside the 63-bit range")
          : wrong(row, key, value + " is negative");
    }
    return value;
  }

  /** An address: a number from 0 to 2^64 - 1, as its bits. */
  long address(long cell, Row row, Key key) throws FormatException {
    long bits = integer(cell, row, key);
    if (bits < 0 && !Values.isAboveLong(cell)) {
      throw wrong(row, key, bits + " is negative");
    }
    return bits;
  }

  /** Any number of 64 bits, as its bits. */
  long integer(long cell, Row row, Key key) throws FormatException {
    if (!Values.isInteger(cell)) {
      throw wrong(row, key, "expected an integer, found " + Cell.describe(cell));
    }
    return values.bits(cell);
  }

  boolean bool(long cell, Row row, Key key) throws FormatException {
    return switch (Cell.tag(cell)) {
      case Cell.TRUE -> true;
      case Cell.FALSE -> false;
      default -> throw wrong(row, key, "expected a bool, found " + Cell.describe(cell));
    };
  }

  /** The number of a string in the text table. */
  int text(long cell, Row row, Key key) throws FormatException {
    if (Cell.tag(cell) != Cell.TEXT) {
      throw wrong(row, key, "expected a string, found " + Cell.describe(cell));
    }
    return (int) Cell.payload(cell);
  }

  static FormatException wrong(Row row, Key key, String what) {
    return wrong(row.path() + "." + key.word(), what);
  }

  static FormatException wrong(String path, String what) {
    return new FormatException(
        Reason.MALFORMED,
        what,
        path,
        "The file is damaged, or its writer is not PyTorch; take the snapshot again.");
  }

  static FormatException tooMany(String path, String what) {
    return new FormatException(
        Reason.TOO_LARGE,
        what,
        path,
        "Record fewer events (max_entries), or give the server a larger heap.");
  }
}
