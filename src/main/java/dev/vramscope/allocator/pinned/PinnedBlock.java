package dev.vramscope.allocator.pinned;

import java.util.Arrays;

/**
 * A range of pinned memory. Its address and size never change; it gets a new handle each time it is
 * allocated.
 */
final class PinnedBlock {
  final long address;
  final long bytes;

  /** Whether it is part of the reserve, which is never released. */
  final boolean reserved;

  /** The handle while the block is allocated; 0 otherwise. */
  long handle;

  /** The number of events that must complete before the block can be reused. */
  int pendingEvents;

  private int[] streams = {};
  private int streamCount;

  PinnedBlock(long address, long bytes, boolean reserved) {
    this.address = address;
    this.bytes = bytes;
    this.reserved = reserved;
  }

  boolean isActive() {
    return handle != 0 || pendingEvents > 0;
  }

  boolean fits(long requestedBytes) {
    return bytes >= requestedBytes;
  }

  void addStream(int stream) {
    for (int i = 0; i < streamCount; i++) {
      if (streams[i] == stream) {
        return;
      }
    }
    if (streamCount == streams.length) {
      streams = Arrays.copyOf(streams, streamCount + 4);
    }
    streams[streamCount++] = stream;
  }

  int streamCount() {
    return streamCount;
  }

  int stream(int index) {
    return streams[index];
  }

  void clearStreams() {
    streamCount = 0;
  }
}
