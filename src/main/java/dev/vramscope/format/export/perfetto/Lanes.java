package dev.vramscope.format.export.perfetto;

import java.util.PriorityQueue;

/**
 * Assigns slices to the fewest lanes such that no two of a lane overlap. Slices must come in order
 * of their beginning.
 */
final class Lanes {
  private record Busy(long until, int lane) {}

  private final PriorityQueue<Busy> busy =
      new PriorityQueue<>((a, b) -> Long.compare(a.until, b.until));
  private int count;

  /** The lane of a slice, from 0. A slice may begin where the previous one of its lane ends. */
  int assign(long from, long to) {
    Busy first = busy.peek();
    int lane = first != null && first.until <= from ? busy.remove().lane : count++;
    busy.add(new Busy(to, lane));
    return lane;
  }

  int count() {
    return count;
  }
}
