package dev.vramscope.analysis.lifetimes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the allocations that are active after an event, in time proportional to their number. Lists
 * of the active rows are kept at key events, the more events apart the longer the lists are, so
 * that all lists together have about as many rows as there are allocations:
 *
 * <pre>
 *   event    0 ······· key ······· key ······ event
 *                       │ rows      │ rows  +  rows allocated since, without those that ended
 * </pre>
 */
final class LiveRows {
  private static final int LEAST_DISTANCE = 4_096;

  private final Lifetimes lifetimes;
  private final List<Key> keys = new ArrayList<>();

  /** The rows that are active after an event; {@code next} is the first row allocated later. */
  private static final class Key {
    private final int event;
    private final int[] rows;
    private final int next;

    Key(int event, int[] rows, int next) {
      this.event = event;
      this.rows = rows;
      this.next = next;
    }
  }

  private LiveRows(Lifetimes lifetimes) {
    this.lifetimes = lifetimes;
  }

  static LiveRows of(Lifetimes lifetimes) {
    LiveRows live = new LiveRows(lifetimes);
    int before = lifetimes.liveBeforeCount();
    int[] first = new int[before];
    Arrays.setAll(first, row -> row);
    Key key = new Key(Lifetimes.BEFORE_RECORDING, first, before);
    live.keys.add(key);
    while (true) {
      int next = key.next + Math.max(LEAST_DISTANCE, key.rows.length);
      if (next >= lifetimes.size()) {
        return live;
      }
      int event = lifetimes.allocationEvent(next);
      key = new Key(event, live.after(key, event), lifetimes.firstAllocatedFrom(event + 1));
      live.keys.add(key);
    }
  }

  /** The rows that are active after an event, in ascending order. */
  int[] at(int event) {
    int low = 0;
    int high = keys.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (keys.get(middle).event <= event) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return after(keys.get(low), event);
  }

  private int[] after(Key key, int event) {
    int end = lifetimes.firstAllocatedFrom(event + 1);
    int[] rows = new int[key.rows.length + end - key.next];
    int count = 0;
    for (int row : key.rows) {
      if (event < lifetimes.endEvent(row)) {
        rows[count++] = row;
      }
    }
    for (int row = key.next; row < end; row++) {
      if (event < lifetimes.endEvent(row)) {
        rows[count++] = row;
      }
    }
    return Arrays.copyOf(rows, count);
  }
}
