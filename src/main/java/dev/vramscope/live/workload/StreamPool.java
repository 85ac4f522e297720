package dev.vramscope.live.workload;

import dev.vramscope.device.Streams;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Streams of one device, lent to one run at a time: a device makes streams but takes none back, and
 * there are not endless ones.
 */
final class StreamPool {
  private final Streams streams;
  private final PriorityQueue<Integer> idle = new PriorityQueue<>();

  StreamPool(Streams streams) {
    this.streams = streams;
  }

  synchronized int take() {
    Integer stream = idle.poll();
    return stream == null ? streams.create() : stream;
  }

  /** Takes back what nobody enqueues work in any more. */
  synchronized void giveBack(List<Integer> used) {
    idle.addAll(used);
  }
}
