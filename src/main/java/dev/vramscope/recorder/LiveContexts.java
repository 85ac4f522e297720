package dev.vramscope.recorder;

/**
 * The contexts of live blocks or segments, by address. A hash table with open addressing; removing
 * an entry moves later entries up, so that no tombstones are left:
 *
 * <pre>
 *   addresses[slot]   0 = empty
 *   contexts [slot]
 * </pre>
 *
 * Guarded by the allocator's lock. Grows with the number of live entries, never shrinks.
 */
final class LiveContexts {
  private long[] addresses = new long[1024];
  private int[] contexts = new int[1024];
  private int mask = 1023;
  private int size;

  LiveContexts() {}

  private LiveContexts(LiveContexts from) {
    addresses = from.addresses.clone();
    contexts = from.contexts.clone();
    mask = from.mask;
    size = from.size;
  }

  int size() {
    return size;
  }

  void put(long address, int context) {
    int slot = slotOf(address);
    if (addresses[slot] == 0) {
      if (2 * ++size > addresses.length) {
        grow();
        slot = slotOf(address);
      }
      addresses[slot] = address;
    }
    contexts[slot] = context;
  }

  /** The context stored for an address, or {@link ContextTree#NONE}. */
  int get(long address) {
    if (size == 0) {
      return ContextTree.NONE;
    }
    int slot = slotOf(address);
    return addresses[slot] == 0 ? ContextTree.NONE : contexts[slot];
  }

  void remove(long address) {
    if (size == 0) {
      return;
    }
    int hole = slotOf(address);
    if (addresses[hole] == 0) {
      return;
    }
    size--;
    for (int slot = (hole + 1) & mask; addresses[slot] != 0; slot = (slot + 1) & mask) {
      int preferred = hash(addresses[slot]);
      // An entry whose probe sequence passes the hole moves into it.
      if (((slot - preferred) & mask) >= ((slot - hole) & mask)) {
        addresses[hole] = addresses[slot];
        contexts[hole] = contexts[slot];
        hole = slot;
      }
    }
    addresses[hole] = 0;
  }

  LiveContexts copy() {
    return new LiveContexts(this);
  }

  private int slotOf(long address) {
    int slot = hash(address);
    while (addresses[slot] != 0 && addresses[slot] != address) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int hash(long address) {
    return (int) ((address * 0x9E3779B97F4A7C15L) >>> 32) & mask;
  }

  private void grow() {
    long[] oldAddresses = addresses;
    int[] oldContexts = contexts;
    addresses = new long[2 * oldAddresses.length];
    contexts = new int[addresses.length];
    mask = addresses.length - 1;
    for (int i = 0; i < oldAddresses.length; i++) {
      if (oldAddresses[i] != 0) {
        int slot = slotOf(oldAddresses[i]);
        addresses[slot] = oldAddresses[i];
        contexts[slot] = oldContexts[i];
      }
    }
  }
}
