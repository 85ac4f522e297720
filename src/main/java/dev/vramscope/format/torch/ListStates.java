package dev.vramscope.format.torch;

import dev.vramscope.format.pickle.Cell;
import dev.vramscope.model.IntColumn;

/**
 * One state per opened list: the number of its values or, for a finished stack or pool, the number
 * of that stack or pool. 0 means empty: an empty list may be shared by containers of different
 * roles, so it is treated as empty regardless of its role.
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
