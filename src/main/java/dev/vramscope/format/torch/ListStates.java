package dev.vramscope.format.torch;

import dev.vramscope.format.pickle.Cell;
import dev.vramscope.model.IntColumn;

/**
 * One number per list that was opened: how many values were appended to it, or, for a finished
 * stack or pool, which one it is. 0 means empty, so that an empty list, which programs share
 * between places of different meaning, is an empty list everywhere.
 */
final class ListStates {
  private final IntColumn.Builder states = new IntColumn.Builder();

  /** Opens an empty list and returns its number. */
  int open() {
    states.add(0);
    return states.size() - 1;
  }

  int state(int list) {
    return states.get(list);
  }

  void state(int list, int state) {
    states.set(list, state);
  }

  /** Whether a cell is an empty list or tuple. */
  boolean isEmpty(long cell) {
    return switch (Cell.tag(cell)) {
      case Cell.LIST -> Role.of(cell) != Role.SKIPPED_LIST && states.get(Role.number(cell)) == 0;
      case Cell.TUPLE -> Cell.payload(cell) == 0;
      default -> false;
    };
  }
}
