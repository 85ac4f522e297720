package dev.vramscope.allocator.pinned;

import java.util.Arrays;

/**
 * A piece of pinned memory. It keeps its address and size for life, and gets a new handle each time
 * it is handed out.
 */
final class PinnedBlock {
  final long address;
  final long bytes;

  /** Whether it is a piece of the reserve, which is not given back. */
  final boolean reserved;

  /** Names the block while it is allocated; 0 otherwise. */
  long handle;

  /** Events that must be done before the block is free. */
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

  boolean fits(long wantedBytes) {
    return bytes >= wantedBytes;
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

  void forgetStreams() {
    streamCount = 0;
  }
}
