package dev.vramscope.explain.reading;

import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.model.SeededHash;

/**
 * How often each message of a text occurs, and where first. A message is known by a hash of 64
 * bits, and none of its words is kept: 24 bytes a slot, which is 48 to 96 bytes for each different
 * message. The shortest has about 40 characters, so that 32 MiB of text need at most 50 MB.
 *
 * <pre>
 *   slots: open addressing, at most half full; a slot with times 0 is empty
 *   keys | times | lines | orders
 * </pre>
 */
final class MessageCounts {
  private long[] keys = new long[512];
  private int[] times = new int[512];
  private int[] lines = new int[512];
  private long[] orders = new long[512];
  private int different;

  /** The key of a message; where it is does not matter. */
  static long key(LogMessage message) {
    long key = SeededHash.of(message.kind().id().hashCode());
    for (Field field : message.fields()) {
      key = SeededHash.of(key ^ field.name().id().hashCode());
      key = mixed(mixed(key, field.of()), field.written());
    }
    return key;
  }

  private static long mixed(long key, String text) {
    long mixed = SeededHash.of(key ^ text.length());
    for (int i = 0; i < text.length(); i++) {
      mixed = SeededHash.of(mixed ^ text.charAt(i));
    }
    return mixed;
  }

  /** Counts a message; true if it is the first of its key. */
  boolean add(long key, LogMessage message, long order) {
    if (2 * different >= keys.length) {
      grow();
    }
    int slot = slot(key);
    boolean isNew = times[slot] == 0;
    if (isNew) {
      different++;
      keys[slot] = key;
      lines[slot] = message.line();
      orders[slot] = order;
    }
    times[slot] += message.times();
    lines[slot] = Math.min(lines[slot], message.line());
    return isNew;
  }

  int times(long key) {
    return times[slot(key)];
  }

  /** The line of its first occurrence. */
  int line(long key) {
    return lines[slot(key)];
  }

  /** The number of its first occurrence. */
  long order(long key) {
    return orders[slot(key)];
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = (int) (SeededHash.of(key) >>> 32) & mask;
    while (times[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldTimes = times;
    int[] oldLines = lines;
    long[] oldOrders = orders;
    keys = new long[2 * oldKeys.length];
    times = new int[keys.length];
    lines = new int[keys.length];
    orders = new long[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldTimes[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        times[slot] = oldTimes[i];
        lines[slot] = oldLines[i];
        orders[slot] = oldOrders[i];
      }
    }
  }
}
