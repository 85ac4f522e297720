package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.Streams;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Freed blocks that other streams may still use. For each such stream an event is recorded; when
 * all events of a block are complete it becomes inactive. Streams are polled in ascending order,
 * each up to its first event that is not complete; those of a {@link Client#REPLAY} only if it has
 * reported them.
 */
final class PendingFrees {
  private final Blocks blocks;
  private final StreamUses uses;
  private final Pools pools;
  private final FreeCompletion completion;
  private final Listeners listeners;
  private final Streams streams;
  private final Client client;
  private @Nullable EventQueue[] queues = new @Nullable EventQueue[1];

  /** The streams whose queue is not empty. */
  private final BitSet waiting = new BitSet();

  /** The streams that a replay has reported since the last poll. */
  private final BitSet reported = new BitSet();

  private int pendingEvents;

  /** Blocks for which the device failed to record an event. */
  private final Deque<Integer> unrecorded = new ArrayDeque<>();

  PendingFrees(CachingState state, FreeCompletion completion) {
    this.client = state.client;
    this.blocks = state.blocks;
    this.uses = state.uses;
    this.pools = state.pools;
    this.completion = completion;
    this.listeners = state.listeners;
    this.streams = state.device.streams();
  }

  /**
   * Records an event in each using stream, and lets the block wait for them. If the device fails,
   * the block keeps the uses without an event, and {@link #collect} tries again.
   */
  void await(int block) {
    try {
      recordEvents(block);
    } catch (DeviceException failed) {
      unrecorded.add(block);
    }
  }

  private void recordEvents(int block) {
    while (uses.any(block)) {
      int stream = uses.first(block);
      long event = streams.recordEvent(stream);
      uses.removeFirst(block);
      blocks.addPendingEvents(block, 1);
      queue(stream).add(event, block);
      waiting.set(stream);
      pendingEvents++;
      listeners.freePending(blocks.address(block), stream);
    }
  }

  private void recordMissingEvents() {
    while (!unrecorded.isEmpty()) {
      recordEvents(unrecorded.getFirst());
      unrecorded.removeFirst();
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

  /** An event of a stream may be complete. */
  void report(int stream) {
    reported.set(stream);
  }

  /** Makes blocks inactive that no stream uses any more. */
  void collect() {
    recordMissingEvents();
    if (pendingEvents == 0) {
      return;
    }
    reported.and(waiting);
    BitSet polled = client == Client.PROGRAM ? waiting : reported;
    for (int stream = polled.nextSetBit(0); stream >= 0; stream = polled.nextSetBit(stream + 1)) {
      EventQueue queue = queue(stream);
      while (!queue.isEmpty() && streams.isDone(queue.firstEvent())) {
        completeFirst(queue, stream);
      }
    }
    reported.clear();
  }

  /**
   * Waits for all pending frees.
   *
   * @param only the pool whose frees to wait for, or null for all pools
   */
  void synchronize(@Nullable PrivatePool only) {
    recordMissingEvents();
    if (pendingEvents == 0) {
      return;
    }
    for (int stream = waiting.nextSetBit(0); stream >= 0; stream = waiting.nextSetBit(stream + 1)) {
      EventQueue queue = queue(stream);
      for (int left = queue.size(); left > 0; left--) {
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
    if (queue.isEmpty()) {
      waiting.clear(stream);
    }
    pendingEvents--;
    blocks.addPendingEvents(block, -1);
    listeners.freeCompleted(blocks.address(block), stream);
    if (blocks.pendingEvents(block) == 0 && !uses.any(block)) {
      completion.complete(block);
    }
  }

  /** The streams that a block waits for, in ascending order. Takes time linear in all events. */
  List<Integer> awaited(int block) {
    List<Integer> awaited = new ArrayList<>();
    for (int stream = waiting.nextSetBit(0); stream >= 0; stream = waiting.nextSetBit(stream + 1)) {
      if (queue(stream).holds(block)) {
        awaited.add(stream);
      }
    }
    return awaited;
  }

  int pendingEventCount() {
    return pendingEvents;
  }
}
