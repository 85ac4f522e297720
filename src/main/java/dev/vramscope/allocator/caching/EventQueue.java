package dev.vramscope.allocator.caching;

import java.util.Arrays;

/** The events of one stream in the order they were recorded, each with the block that waits. */
final class EventQueue {
  private long[] events = new long[16];
  private int[] waiting = new int[16];
  private int first;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  void add(long event, int block) {
    if (size == events.length) {
      grow();
    }
    int at = (first + size) & (events.length - 1);
    events[at] = event;
    waiting[at] = block;
    size++;
  }

  private void grow() {
    long[] moreEvents = Arrays.copyOf(events, 2 * size);
    int[] moreWaiting = Arrays.copyOf(waiting, 2 * size);
    // The part that had wrapped to the front follows the part at the end.
    System.arraycopy(events, 0, moreEvents, size, first);
    System.arraycopy(waiting, 0, moreWaiting, size, first);
    events = moreEvents;
    waiting = moreWaiting;
  }

  long firstEvent() {
    return events[first];
  }

  int firstBlock() {
    return waiting[first];
  }

  boolean holds(int block) {
    for (int i = 0; i < size; i++) {
      if (waiting[(first + i) & (events.length - 1)] == block) {
        return true;
      }
    }
    return false;
  }

  void removeFirst() {
    first = (first + 1) & (events.length - 1);
    size--;
  }
}
