package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.Streams;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Freed blocks that other streams may still use. For each such stream an event is recorded; when
 * all of a block's events are done it becomes inactive. Streams are looked at in ascending order,
 * each up to its first event that is not done.
 */
final class PendingFrees {
  private final Blocks blocks;
  private final StreamUses uses;
  private final Pools pools;
  private final FreeCompletion completion;
  private final Statistics statistics;
  private final Listeners listeners;
  private final Streams streams;
  private @Nullable EventQueue[] queues = new @Nullable EventQueue[1];
  private int pending;

  /** Blocks with uses that could not be marked. */
  private final Deque<Integer> unmarked = new ArrayDeque<>();

  PendingFrees(
      Blocks blocks,
      StreamUses uses,
      Pools pools,
      FreeCompletion completion,
      Statistics statistics,
      Listeners listeners,
      Streams streams) {
    this.blocks = blocks;
    this.uses = uses;
    this.pools = pools;
    this.completion = completion;
    this.statistics = statistics;
    this.listeners = listeners;
    this.streams = streams;
  }

  /**
   * Marks the end of what each using stream has to do, and lets the block wait for it. If the
   * device refuses, the block keeps the uses that are not marked, and {@link #collect} tries again.
   */
  void await(int block) {
    try {
      mark(block);
    } catch (DeviceException refused) {
      unmarked.add(block);
    }
  }

  private void mark(int block) {
    while (uses.any(block)) {
      int stream = uses.first(block);
      long event = streams.recordEvent(stream);
      uses.removeFirst(block);
      blocks.addPendingEvents(block, 1);
      queue(stream).add(event, block);
      pending++;
      listeners.freePending(blocks.address(block), stream);
    }
  }

  private void markAgain() {
    while (!unmarked.isEmpty()) {
      mark(unmarked.getFirst());
      unmarked.removeFirst();
    }
  }

  private EventQueue queue(int stream) {
    if (stream >= queues.length) {
      queues = Arrays.copyOf(queues, stream + 1);
    }
    EventQueue queue = queues[stream];
    if (queue == null) {
      queue = new EventQueue();
      queues[stream] = queue;
    }
    return queue;
  }

  /** Makes inactive what no stream uses any more. */
  void collect() {
    markAgain();
    if (pending == 0) {
      return;
    }
    for (int stream = 0; stream < queues.length; stream++) {
      EventQueue queue = queues[stream];
      while (queue != null && !queue.isEmpty() && streams.isDone(queue.firstEvent())) {
        completeFirst(queue, stream);
      }
    }
  }

  /** Waits for all pending frees, or for those in one pool. */
  void synchronize(@Nullable PrivatePool only) {
    statistics.countSyncAllStreams();
    markAgain();
    if (pending == 0) {
      return;
    }
    for (int stream = 0; stream < queues.length; stream++) {
      EventQueue queue = queues[stream];
      for (int left = queue == null ? 0 : queue.size(); queue != null && left > 0; left--) {
        if (only != null && pools.get(blocks.pool(queue.firstBlock())).owner() != only) {
          queue.add(queue.firstEvent(), queue.firstBlock());
          queue.removeFirst();
        } else {
          streams.synchronizeEvent(queue.firstEvent());
          completeFirst(queue, stream);
        }
      }
    }
  }

  private void completeFirst(EventQueue queue, int stream) {
    int block = queue.firstBlock();
    streams.freeEvent(queue.firstEvent());
    queue.removeFirst();
    pending--;
    blocks.addPendingEvents(block, -1);
    listeners.freeCompleted(blocks.address(block), stream);
    if (blocks.pendingEvents(block) == 0 && !uses.any(block)) {
      completion.complete(block);
    }
  }

  /** The streams that a block waits for, in ascending order. Looks at every event. */
  List<Integer> awaited(int block) {
    List<Integer> awaited = new ArrayList<>();
    for (int stream = 0; stream < queues.length; stream++) {
      EventQueue queue = queues[stream];
      if (queue != null && queue.holds(block)) {
        awaited.add(stream);
      }
    }
    return awaited;
  }

  /** How many events are waited for. */
  int count() {
    return pending;
  }
}
