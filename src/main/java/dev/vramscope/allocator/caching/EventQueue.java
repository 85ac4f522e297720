package dev.vramscope.allocator.caching;

import java.util.Arrays;

/** The pending events of one stream in recording order, each with the block that waits for it. */
final class EventQueue {
  private long[] events = new long[16];
  private int[] waitingBlocks = new int[16];
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
    waitingBlocks[at] = block;
    size++;
  }

  private void grow() {
    long[] moreEvents = Arrays.copyOf(events, 2 * size);
    int[] moreBlocks = Arrays.copyOf(waitingBlocks, 2 * size);
    // The part that had wrapped around to the front follows the part at the end.
    System.arraycopy(events, 0, moreEvents, size, first);
    System.arraycopy(waitingBlocks, 0, moreBlocks, size, first);
    events = moreEvents;
    waitingBlocks = moreBlocks;
  }

  long firstEvent() {
    return events[first];
  }

  int firstBlock() {
    return waitingBlocks[first];
  }

  boolean holds(int block) {
    for (int i = 0; i < size; i++) {
      if (waitingBlocks[(first + i) & (events.length - 1)] == block) {
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
