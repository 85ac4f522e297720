package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;

/**
 * Receives the lists and dicts of a file. The parser keeps a stack of {@link Cell}s and passes on
 * the contents of a container in batches; the implementation interprets them.
 *
 * <p>A pickle does not specify the parent of a new container: after {@code [ {} "k"} the next value
 * may belong to the dict under {@code "k"}, or be the list element after the string. {@link #open}
 * therefore has both candidates, and the choice is checked when the contents arrive.
 */
public interface Containers {
  /**
   * Opens a container.
   *
   * @param kind {@link Cell#LIST} or {@link Cell#DICT}
   * @param inner the container just below it on the stack, above the innermost mark, or {@link
   *     Cell#ABSENT}
   * @param innerKey the key it would have there; {@link Cell#ABSENT} in a list
   * @param outer the container being filled by the innermost mark, or {@link Cell#ABSENT}
   * @param outerKey the key it would have there; {@link Cell#ABSENT} in a list
   * @param pending the number of values before it in the batch for {@code outer}
   * @param marks the number of open batches
   * @return its cell, with the tag {@code kind}
   */
  long open(int kind, long inner, long innerKey, long outer, long outerKey, int pending, int marks)
      throws FormatException;

  /** Adds the alternating keys and values {@code cells[from..to)} to a dict. */
  void put(long dict, long[] cells, int from, int to) throws FormatException;

  /** Appends the values {@code cells[from..to)} to a list. */
  void append(long list, long[] cells, int from, int to) throws FormatException;

  /**
   * Appends to an empty list the values that were appended to {@code earlier} in one batch.
   *
   * @return false if nothing was appended, because one of the two lists has more than this batch or
   *     because the list is of another kind; the batch is then passed to {@link #append}
   */
  boolean repeat(long list, long earlier) throws FormatException;
}
