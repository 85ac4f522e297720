package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;

/**
 * Where the lists and dicts of a file grow. The reader of a file keeps a stack of {@link Cell}s and
 * hands over contents when a container closes; what becomes of them is decided here.
 *
 * <p>A pickle does not say which container a new one will go into: after {@code [ {} "k"} the next
 * value may belong to the dict under {@code "k"}, or be the element after the string. So both
 * candidates are offered, and the choice is checked when the contents arrive.
 */
public interface Containers {
  /**
   * A container opens.
   *
   * @param kind {@link Cell#LIST} or {@link Cell#DICT}
   * @param inner the container just below it that has not been closed by a mark, or {@link
   *     Cell#ABSENT}
   * @param innerKey the key it would have there; {@link Cell#ABSENT} in a list
   * @param outer the container being filled by the innermost mark, or {@link Cell#ABSENT}
   * @param outerKey the key it would have there; {@link Cell#ABSENT} in a list
   * @param waiting how many values stand before it in the batch for {@code outer}
   * @param marks how many batches are open
   * @return its cell, with the tag {@code kind}
   */
  long open(int kind, long inner, long innerKey, long outer, long outerKey, int waiting, int marks)
      throws FormatException;

  /** Keys and values {@code cells[from..to)}, alternating, go into a dict. */
  void put(long dict, long[] cells, int from, int to) throws FormatException;

  /** The values {@code cells[from..to)} are appended to a list. */
  void append(long list, long[] cells, int from, int to) throws FormatException;
}
