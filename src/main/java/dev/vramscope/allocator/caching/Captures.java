package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.configuration.Configuration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Graph captures. While one is underway no event may be asked about, so that blocks freed with uses
 * by other streams are put off to its end. Uses recorded during the capture are then dropped: the
 * graph itself orders that work.
 */
final class Captures {
  private final StreamUses uses;
  private final PendingFrees pendingFrees;
  private final FreeCompletion completion;
  private final Configuration configuration;
  private final Blocks blocks;
  private final List<Integer> deferred = new ArrayList<>();
  private final Map<Integer, Set<Integer>> capturedUses = new HashMap<>();
  private int underway;

  Captures(
      Blocks blocks,
      StreamUses uses,
      PendingFrees pendingFrees,
      FreeCompletion completion,
      Configuration configuration) {
    this.blocks = blocks;
    this.uses = uses;
    this.pendingFrees = pendingFrees;
    this.completion = completion;
    this.configuration = configuration;
  }

  boolean isUnderway() {
    return underway > 0;
  }

  void begin() {
    underway++;
  }

  /** With reuse of captured blocks, what the capture put off is settled at once. */
  void end() {
    if (underway == 0) {
      throw new IllegalStateException("markCaptureEnd called with no captures in progress");
    }
    underway--;
    if (underway == 0 && configuration.graphCaptureRecordStreamReuse()) {
      settle();
    }
  }

  /** A stream uses a block; which uses fall into a capture is remembered. */
  void recordUse(int block, int stream) {
    if (blocks.stream(block) == stream) {
      return;
    }
    uses.add(block, stream);
    if (isUnderway()) {
      capturedUses.computeIfAbsent(block, b -> new HashSet<>()).add(stream);
    }
  }

  /** A block was freed that other streams use. */
  void defer(int block) {
    deferred.add(block);
  }

  /** A block was freed outside a capture: all of its uses count. */
  void forget(int block) {
    if (!capturedUses.isEmpty()) {
      capturedUses.remove(block);
    }
  }

  /** Lets the deferred blocks wait for the uses that the captures did not order. */
  void settle() {
    if (deferred.isEmpty()) {
      return;
    }
    for (int block : deferred) {
      Set<Integer> ordered = capturedUses.remove(block);
      if (ordered != null) {
        ordered.forEach(stream -> uses.remove(block, stream));
      }
      pendingFrees.await(block);
      if (blocks.pendingEvents(block) == 0 && !uses.any(block)) {
        completion.complete(block);
      }
    }
    deferred.clear();
  }
}
