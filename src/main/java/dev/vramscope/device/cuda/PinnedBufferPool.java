package dev.vramscope.device.cuda;

import dev.vramscope.device.DeviceException;
import dev.vramscope.device.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/** A pool of small buffers in pinned memory, allocated many at a time. */
final class PinnedBufferPool {
  private static final int BUFFERS_PER_ALLOCATION = 256;

  private final HostMemory memory;
  private final long bufferBytes;
  private final Deque<Long> idle = new ArrayDeque<>();

  PinnedBufferPool(HostMemory memory, long bufferBytes) {
    this.memory = memory;
    this.bufferBytes = bufferBytes;
  }

  /** Returns a buffer filled with zeros. */
  @SuppressWarnings("restricted") // The memory is pinned memory that the driver allocated.
  synchronized MemorySegment acquire() {
    if (idle.isEmpty()) {
      grow();
    }
    MemorySegment buffer = MemorySegment.ofAddress(idle.pop()).reinterpret(bufferBytes);
    buffer.fill((byte) 0);
    return buffer;
  }

  private void grow() {
    long bytes = BUFFERS_PER_ALLOCATION * bufferBytes;
    long start = memory.allocate(bytes);
    if (start == 0) {
      throw new DeviceException(
          "The host has no %d bytes of pinned memory left for the results of checks."
              .formatted(bytes));
    }
    for (int i = 0; i < BUFFERS_PER_ALLOCATION; i++) {
      idle.add(start + i * bufferBytes);
    }
  }

  synchronized void release(MemorySegment buffer) {
    idle.push(buffer.address());
  }
}
