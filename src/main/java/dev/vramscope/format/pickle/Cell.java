package dev.vramscope.format.pickle;

/**
 * One value of a file, packed into a long so that a stack of values is an array of longs:
 *
 * <pre>
 *   63                                    4 3    0
 *   ┌──────────────────────────────────────┬──────┐
 *   │ payload, signed                      │ tag  │
 *   └──────────────────────────────────────┴──────┘
 *   INT    the number itself, if it fits into 60 bits
 *   WIDE   index in Values; the lowest bit is set if the number is above 2^63 - 1
 *   FLOAT  index in Values
 *   TEXT   number in the TextTable
 *   PAIR   a tuple of two integers: two small numbers, or an index in Values; see Values.pair
 *   TUPLE  nesting depth of a tuple whose items are discarded, 0 for the empty tuple
 *   LIST, DICT   the value returned by Containers.open
 * </pre>
 */
public final class Cell {
  public static final int NONE = 0;
  public static final int FALSE = 1;
  public static final int TRUE = 2;
  public static final int INT = 3;
  public static final int WIDE = 4;
  public static final int FLOAT = 5;
  public static final int TEXT = 6;
  public static final int PAIR = 7;
  public static final int TUPLE = 8;
  public static final int LIST = 9;
  public static final int DICT = 10;

  /** Only in a memo: the cell is wider than a slot. */
  static final int SPILLED = 14;

  /** No value at all, such as the key of a list's element. */
  public static final long ABSENT = 15;

  static final int TAG_BITS = 4;
  private static final int TAG_MASK = (1 << TAG_BITS) - 1;

  private Cell() {}

  public static long of(int tag, long payload) {
    return payload << TAG_BITS | tag;
  }

  public static int tag(long cell) {
    return (int) cell & TAG_MASK;
  }

  public static long payload(long cell) {
    return cell >> TAG_BITS;
  }

  /** The type of a value for messages, such as {@code a list}. */
  public static String describe(long cell) {
    return switch (tag(cell)) {
      case NONE -> "None";
      case FALSE, TRUE -> "a bool";
      case INT, WIDE -> "an integer";
      case FLOAT -> "a float";
      case TEXT -> "a string";
      case PAIR, TUPLE -> "a tuple";
      case LIST -> "a list";
      case DICT -> "a dict";
      default -> "nothing";
    };
  }
}
