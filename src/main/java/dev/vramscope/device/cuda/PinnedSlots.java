package dev.vramscope.device.cuda;

import dev.vramscope.device.DeviceException;
import dev.vramscope.device.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/** Small pieces of pinned memory, taken many at a time and used again and again. */
final class PinnedSlots {
  private static final int SLOTS_AT_A_TIME = 256;

  private final HostMemory memory;
  private final long slotBytes;
  private final Deque<Long> idle = new ArrayDeque<>();

  PinnedSlots(HostMemory memory, long slotBytes) {
    this.memory = memory;
    this.slotBytes = slotBytes;
  }

  /** A slot with zeros in it. */
  @SuppressWarnings("restricted") // The memory is ours: the driver gave it to us.
  synchronized MemorySegment take() {
    if (idle.isEmpty()) {
      takeMore();
    }
    MemorySegment slot = MemorySegment.ofAddress(idle.pop()).reinterpret(slotBytes);
    slot.fill((byte) 0);
    return slot;
  }

  private void takeMore() {
    long bytes = SLOTS_AT_A_TIME * slotBytes;
    long start = memory.allocate(bytes);
    if (start == 0) {
      throw new DeviceException(
          "The host has no %d bytes of pinned memory left for the answers of checks."
              .formatted(bytes));
    }
    for (int i = 0; i < SLOTS_AT_A_TIME; i++) {
      idle.add(start + i * slotBytes);
    }
  }

  synchronized void giveBack(MemorySegment slot) {
    idle.push(slot.address());
  }
}
