package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.format.pickle.PickleValues;
import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pool ids: two numbers, in a tuple (PyTorch) or in a list (JSON and other programs). The state of
 * a list is 0 if it is empty, 1 with one number, and 2 + the number of the pool if it is complete.
 */
final class PoolIds {
  private static final int COMPLETE = 2;

  private final PickleValues values;
  private final ListStates lists;
  private final List<PoolId> distinct = new ArrayList<>();
  private final Map<PoolId, Integer> numbers = new HashMap<>();
  private long half;
  private int halfList = -1;
  private long lastCell = Cell.ABSENT;
  private PoolId last = PoolId.DEFAULT;

  PoolIds(PickleValues values, ListStates lists) {
    this.values = values;
    this.lists = lists;
  }

  long openList() {
    return Role.POOL.cell(lists.open());
  }

  void append(long list, long[] cells, int from, int to, Fields.Row row) throws FormatException {
    int number = Role.number(list);
    for (int i = from; i < to; i++) {
      if (!PickleValues.isInteger(cells[i])) {
        throw Fields.malformed(
            row.path(), "expected two integers as pool id, found " + Cell.describe(cells[i]));
      }
      long part = values.bits(cells[i]);
      if (lists.state(number) == 0) {
        half = part;
        halfList = number;
        lists.state(number, 1);
      } else if (lists.state(number) == 1 && halfList == number) {
        lists.state(number, COMPLETE + number(new PoolId(half, part)));
      } else {
        throw Fields.malformed(row.path(), "expected two integers as pool id, found a third one");
      }
    }
  }

  /** The pool id for a value. */
  PoolId pool(long cell, Fields.Row row, Key key) throws FormatException {
    // Nearly all events have the same pool id, and equal small numbers have equal cells.
    if (cell == lastCell) {
      return last;
    }
    if (Cell.tag(cell) == Cell.PAIR) {
      last = new PoolId(values.first(cell), values.second(cell));
      lastCell = cell;
      return last;
    }
    if (Role.POOL.is(cell) && lists.state(Role.number(cell)) >= COMPLETE) {
      return distinct.get(lists.state(Role.number(cell)) - COMPLETE);
    }
    throw Fields.malformed(row, key, "expected two integers, found " + Cell.describe(cell));
  }

  private int number(PoolId pool) {
    return numbers.computeIfAbsent(
        pool,
        _ -> {
          distinct.add(pool);
          return distinct.size() - 1;
        });
  }
}
