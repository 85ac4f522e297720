package dev.vramscope.format.pickle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds plain Java lists and maps, without interpreting them. */
final class PlainContainers implements Containers {
  private final PickleValues values;
  private final List<Object> opened = new ArrayList<>();
  private final Map<Long, List<Object>> firstBatches = new HashMap<>();
  private int repeats;

  PlainContainers(PickleValues values) {
    this.values = values;
  }

  PickleValues values() {
    return values;
  }

  @Override
  public long open(
      int kind, long inner, long innerKey, long outer, long outerKey, int pending, int marks) {
    opened.add(kind == Cell.LIST ? new ArrayList<Object>() : new LinkedHashMap<Object, Object>());
    return Cell.of(kind, opened.size() - 1);
  }

  @Override
  public void put(long dict, long[] cells, int from, int to) {
    @SuppressWarnings("unchecked")
    Map<Object, Object> target = (Map<Object, Object>) opened.get((int) Cell.payload(dict));
    for (int i = from; i < to; i += 2) {
      target.put(value(cells[i]), value(cells[i + 1]));
    }
  }

  @Override
  public boolean repeat(long list, long earlier) {
    @SuppressWarnings("unchecked")
    List<Object> target = (List<Object>) opened.get((int) Cell.payload(list));
    List<Object> batch = firstBatches.get(earlier);
    if (!target.isEmpty() || batch == null) {
      return false;
    }
    target.addAll(batch);
    repeats++;
    return true;
  }

  /** The number of batches that were repeated. */
  int repeats() {
    return repeats;
  }

  @Override
  public void append(long list, long[] cells, int from, int to) {
    @SuppressWarnings("unchecked")
    List<Object> target = (List<Object>) opened.get((int) Cell.payload(list));
    boolean isFirst = target.isEmpty();
    for (int i = from; i < to; i++) {
      target.add(value(cells[i]));
    }
    if (isFirst) {
      firstBatches.put(list, List.copyOf(target));
    } else {
      firstBatches.remove(list);
    }
  }

  /** A cell as a Java value; tuples other than pairs of integers become their depth. */
  Object value(long cell) {
    return switch (Cell.tag(cell)) {
      case Cell.NONE -> "None";
      case Cell.TRUE -> true;
      case Cell.FALSE -> false;
      case Cell.INT, Cell.WIDE ->
          PickleValues.isAboveLong(cell)
              ? Long.toUnsignedString(values.bits(cell))
              : (Object) values.bits(cell);
      case Cell.FLOAT -> values.floating(cell);
      case Cell.TEXT -> values.text(cell);
      case Cell.PAIR -> "(" + values.first(cell) + ", " + values.second(cell) + ")";
      case Cell.TUPLE -> "tuple of depth " + Cell.payload(cell);
      default -> opened.get((int) Cell.payload(cell));
    };
  }
}
