package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import java.util.Arrays;

/**
 * The values a pickle has pushed, and the marks between them. The values above the last mark are a
 * batch; nothing reaches below the mark except the opcode that closes it.
 *
 * <pre>
 *   root "segments" list │ segment "blocks" list │ block "size" 512
 *                      mark                    mark = base
 * </pre>
 */
final class CellStack {
  private final PickleErrors refusals;
  private final int maxPending;
  private final int[] marks;
  private long[] cells = new long[1 << 12];
  private int size;
  private int marked;

  CellStack(ReadLimits limits, PickleErrors refusals) {
    this.refusals = refusals;
    this.maxPending = limits.maxPending();
    this.marks = new int[limits.maxDepth() + 1];
  }

  long[] cells() {
    return cells;
  }

  int size() {
    return size;
  }

  /** Where the innermost batch begins. */
  int base() {
    return marks[marked];
  }

  int marks() {
    return marked;
  }

  long top() {
    return cells[size - 1];
  }

  void push(long cell) throws FormatException {
    if (size == cells.length) {
      grow();
    }
    cells[size++] = cell;
  }

  void drop(int count) {
    size -= count;
  }

  void mark() throws FormatException {
    if (marked + 1 == marks.length) {
      throw refusals.tooDeep();
    }
    marks[++marked] = size;
  }

  /** Takes the innermost mark away and says how many values stand above it. */
  int popMark(String opcode) throws FormatException {
    if (marked == 0) {
      throw refusals.malformed(opcode + " finds no MARK");
    }
    return size - marks[marked--];
  }

  /** Makes sure that the innermost batch has that many values. */
  void require(int count, String opcode) throws FormatException {
    if (size - base() < count) {
      throw refusals.malformed(
          opcode + " needs " + count + " values on the stack and finds " + (size - base()));
    }
  }

  /** The result of the pickle. */
  long onlyValue() throws FormatException {
    if (size != 1 || marked != 0) {
      throw refusals.malformed("STOP leaves " + size + " values on the stack instead of one");
    }
    return cells[0];
  }

  private void grow() throws FormatException {
    if (size >= maxPending) {
      throw refusals.tooLarge("more than " + maxPending + " values wait on the pickle's stack");
    }
    cells = Arrays.copyOf(cells, (int) Math.min(2L * size, maxPending));
  }
}
