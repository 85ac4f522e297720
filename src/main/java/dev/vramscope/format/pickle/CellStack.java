package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import java.util.Arrays;

/**
 * The stack of a pickle, with its marks. The values above the last mark are a batch; only the
 * opcode that closes a batch accesses values below its mark.
 *
 * <pre>
 *   root "segments" list │ segment "blocks" list │ block "size" 512
 *                      mark                    mark = base
 * </pre>
 */
final class CellStack {
  private final PickleErrors errors;
  private final int maxPending;
  private final int[] marks;

  /** At least one longer than {@code size}, so that a value is stored before the check. */
  long[] cells = new long[(1 << 12) + 1];

  int size;
  private int marked;

  CellStack(ReadLimits limits, PickleErrors errors) {
    this.errors = errors;
    this.maxPending = limits.encoding().maxPending();
    this.marks = new int[limits.encoding().maxDepth() + 1];
  }

  /** The index at which the innermost batch begins. */
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
    cells[size++] = cell;
    if (size == cells.length) {
      grow(size);
    }
  }

  void drop(int count) {
    size -= count;
  }

  void mark() throws FormatException {
    if (marked + 1 == marks.length) {
      throw errors.tooDeep();
    }
    marks[++marked] = size;
  }

  /** Removes the innermost mark and returns the number of values above it. */
  int popMark(String opcode) throws FormatException {
    if (marked == 0) {
      throw errors.malformed(opcode + " has no MARK");
    }
    return size - marks[marked--];
  }

  /** Checks that the innermost batch has at least {@code count} values. */
  void require(int count, String opcode) throws FormatException {
    if (size - base() < count) {
      throw errors.malformed(
          opcode + " needs " + count + " values on the stack, which has " + (size - base()));
    }
  }

  /** The result of the pickle. */
  long onlyValue() throws FormatException {
    if (size != 1 || marked != 0) {
      throw errors.malformed("STOP leaves " + size + " values on the stack instead of one");
    }
    return cells[0];
  }

  /** Returns a longer array, or rejects {@code size} values. */
  long[] grow(int size) throws FormatException {
    if (size > maxPending) {
      throw errors.tooLarge("the pickle's stack has more than " + maxPending + " values");
    }
    cells = Arrays.copyOf(cells, (int) Math.min(2L * size, maxPending + 1L));
    return cells;
  }
}
