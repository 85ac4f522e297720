package dev.vramscope.evidence;

import java.util.Optional;
import java.util.regex.Matcher;

/** The line of a size class in a dump of the BFC allocator, with the bytes that were requested. */
public final class BinLine {
  /** With a group each for number and unit of what clients requested of the chunks in use. */
  public static final String PATTERN =
      "\\bBin \\([0-9]{1,20}\\): [^(]{1,200}? in bin\\. "
          + Quantity.PATTERN
          + " client-requested in use in bin";

  /** With a group each for the number of chunks and of those in use. */
  public static final String COUNTS_PATTERN =
      "\\bBin \\([0-9]{1,20}\\):\\s{1,9}Total Chunks: ([0-9]{1,12}), Chunks in use:"
          + " ([0-9]{1,12})";

  /** Every dump has a line for each size class. */
  public static final int COUNT = 21;

  private BinLine() {}

  /** What clients requested of the chunks in use of one size class. */
  public static Optional<Quantity> requested(Matcher bin) {
    return Quantity.of(bin.group(1), bin.group(2)).map(Quantity::roundedDown);
  }
}
