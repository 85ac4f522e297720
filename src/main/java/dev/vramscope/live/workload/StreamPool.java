package dev.vramscope.live.workload;

import dev.vramscope.device.Streams;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Streams of one device, each used by at most one run at a time. A device cannot destroy streams
 * and their number is limited, so they are reused.
 */
final class StreamPool {
  private final Streams streams;
  private final PriorityQueue<Integer> idle = new PriorityQueue<>();

  StreamPool(Streams streams) {
    this.streams = streams;
  }

  synchronized int acquire() {
    Integer stream = idle.poll();
    return stream == null ? streams.create() : stream;
  }

  /** Returns streams on which no more work will be enqueued. */
  synchronized void release(List<Integer> used) {
    idle.addAll(used);
  }
}
