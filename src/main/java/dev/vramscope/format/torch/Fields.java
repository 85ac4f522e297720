package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.format.pickle.PickleValues;
import dev.vramscope.model.ByteSize;

/** Converts the cells of a row to the type of their key, or throws an exception with the path. */
final class Fields {
  /** Larger than any device. Below it, bytes are exact in a double and sums do not overflow. */
  static final long MAX_BYTES = ByteSize.MAX_BYTES;

  /** PyTorch rejects larger requests before it records them. */
  static final long MAX_REQUEST_BYTES = 1L << 60;

  private final PickleValues values;

  Fields(PickleValues values) {
    this.values = values;
  }

  /** A row of the file, for error messages. */
  interface Row {
    /** The path of the open row, such as {@code segments[3].blocks[7]}. */
    String path();
  }

  PickleValues values() {
    return values;
  }

  /** The size of a segment or block, in bytes. */
  long sizeBytes(long cell, Row row, Key key) throws FormatException {
    long bytes = nonNegative(cell, row, key);
    if (bytes > MAX_BYTES) {
      throw malformed(row, key, bytes + " bytes exceed the memory of any device");
    }
    return bytes;
  }

  /** A number from 0 to 2^63 - 1. */
  long nonNegative(long cell, Row row, Key key) throws FormatException {
    long value = integer(cell, row, key);
    if (value < 0) {
      throw PickleValues.isAboveLong(cell)
          ? malformed(row, key, Long.toUnsignedString(value) + " is outside the 63-bit range")
          : malformed(row, key, value + " is negative");
    }
    return value;
  }

  /** An address, an unsigned 64-bit number. */
  long address(long cell, Row row, Key key) throws FormatException {
    long bits = integer(cell, row, key);
    if (bits < 0 && !PickleValues.isAboveLong(cell)) {
      throw malformed(row, key, bits + " is negative");
    }
    return bits;
  }

  /** The bits of a signed or unsigned 64-bit number. */
  long integer(long cell, Row row, Key key) throws FormatException {
    if (!PickleValues.isInteger(cell)) {
      throw malformed(row, key, "expected an integer, found " + Cell.describe(cell));
    }
    return values.bits(cell);
  }

  boolean bool(long cell, Row row, Key key) throws FormatException {
    return switch (Cell.tag(cell)) {
      case Cell.TRUE -> true;
      case Cell.FALSE -> false;
      default -> throw malformed(row, key, "expected a bool, found " + Cell.describe(cell));
    };
  }

  /** The text number of a string. */
  int text(long cell, Row row, Key key) throws FormatException {
    if (Cell.tag(cell) != Cell.TEXT) {
      throw malformed(row, key, "expected a string, found " + Cell.describe(cell));
    }
    return (int) Cell.payload(cell);
  }

  static FormatException malformed(Row row, Key key, String what) {
    return malformed(row.path() + "." + key.text(), what);
  }

  static FormatException malformed(String path, String what) {
    return new FormatException(
        Reason.MALFORMED,
        what,
        path,
        "The file is damaged or was not written by PyTorch; take the snapshot again.");
  }

  static FormatException tooMany(String path, String what) {
    return new FormatException(
        Reason.TOO_LARGE,
        what,
        path,
        "Record fewer events (max_entries), or start the server with a larger heap.");
  }

  /** More of something than a machine or a program has, whatever the heap of the reader is. */
  static FormatException implausible(String path, String what) {
    return new FormatException(
        Reason.TOO_LARGE,
        what,
        path,
        "PyTorch writes fewer; check the program that wrote or changed the file.");
  }
}
