package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;

/** The opcodes that open and fill lists, dicts and tuples. */
final class ContainerOpcodes {
  private final CellStack stack;
  private final PickleValues values;
  private final Containers containers;
  private final PickleErrors errors;
  private final ReadLimits limits;

  ContainerOpcodes(
      CellStack stack,
      PickleValues values,
      Containers containers,
      PickleErrors errors,
      ReadLimits limits) {
    this.stack = stack;
    this.values = values;
    this.containers = containers;
    this.errors = errors;
    this.limits = limits;
  }

  // Containers.open documents the two candidates.
  void open(int kind) throws FormatException {
    long[] cells = stack.cells;
    int top = stack.size;
    int base = stack.base();
    long inner = Cell.ABSENT;
    long innerKey = Cell.ABSENT;
    if (top > base) {
      long last = cells[top - 1];
      if (Cell.tag(last) == Cell.LIST) {
        inner = last;
      } else if (Cell.tag(last) == Cell.TEXT
          && top - 1 > base
          && Cell.tag(cells[top - 2]) == Cell.DICT) {
        inner = cells[top - 2];
        innerKey = last;
      }
    }
    long outer = Cell.ABSENT;
    long outerKey = Cell.ABSENT;
    if (base > 0) {
      long filled = cells[base - 1];
      if (Cell.tag(filled) == Cell.LIST) {
        outer = filled;
      } else if (Cell.tag(filled) == Cell.DICT && ((top - base) & 1) != 0) {
        outer = filled;
        outerKey = cells[top - 1];
      }
    }
    stack.push(containers.open(kind, inner, innerKey, outer, outerKey, top - base, stack.marks()));
  }

  void setItem() throws FormatException {
    stack.require(3, "SETITEM");
    int top = stack.size;
    containers.put(container(top - 3, Cell.DICT, "SETITEM"), stack.cells, top - 2, top);
    stack.drop(2);
  }

  void setItems() throws FormatException {
    int count = stack.popMark("SETITEMS");
    if ((count & 1) != 0) {
      throw errors.malformed("SETITEMS has " + count + " values: a key without a value");
    }
    int top = stack.size;
    long dict = container(top - count - 1, Cell.DICT, "SETITEMS");
    containers.put(dict, stack.cells, top - count, top);
    stack.drop(count);
  }

  void appendItem() throws FormatException {
    stack.require(2, "APPEND");
    int top = stack.size;
    containers.append(container(top - 2, Cell.LIST, "APPEND"), stack.cells, top - 1, top);
    stack.drop(1);
  }

  void appendItems() throws FormatException {
    int count = stack.popMark("APPENDS");
    int top = stack.size;
    long list = container(top - count - 1, Cell.LIST, "APPENDS");
    containers.append(list, stack.cells, top - count, top);
    stack.drop(count);
  }

  void makeTuple(int count) throws FormatException {
    stack.require(count, "TUPLE");
    long[] cells = stack.cells;
    int from = stack.size - count;
    long tuple;
    if (count == 2
        && PickleValues.isInteger(cells[from])
        && PickleValues.isInteger(cells[from + 1])) {
      tuple = values.pair(cells[from], cells[from + 1]);
    } else {
      long depth = count == 0 ? 0 : 1;
      for (int i = from; i < from + count; i++) {
        if (Cell.tag(cells[i]) == Cell.TUPLE) {
          depth = Math.max(depth, Cell.payload(cells[i]) + 1);
        }
      }
      if (depth > limits.encoding().maxDepth()) {
        throw errors.tooDeep();
      }
      tuple = Cell.of(Cell.TUPLE, depth);
    }
    stack.drop(count);
    stack.push(tuple);
  }

  private long container(int index, int kind, String opcode) throws FormatException {
    if (index < stack.base()) {
      throw errors.malformed(opcode + " has no container below its values");
    }
    long cell = stack.cells[index];
    if (Cell.tag(cell) != kind) {
      throw errors.malformed(opcode + " is used on " + Cell.describe(cell));
    }
    return cell;
  }
}
