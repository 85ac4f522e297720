package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * CUDA graph captures. While one is in progress, no event may be queried, so frees of blocks with
 * uses by other streams are deferred until it ends. Uses recorded during the capture are then
 * dropped, because the graph itself orders that work.
 */
final class Captures {
  private final StreamUses uses;
  private final PendingFrees pendingFrees;
  private final FreeCompletion completion;
  private final Configuration configuration;
  private final Blocks blocks;
  private final Pools pools;
  private final List<Integer> deferredFrees = new ArrayList<>();

  /** The using streams recorded during a capture, by block. */
  private final Map<Integer, Set<Integer>> capturedUses = new HashMap<>();

  private int activeCount;
  private BooleanSupplier currentStreamIsCapturing = () -> true;

  Captures(CachingState state, PendingFrees pendingFrees, FreeCompletion completion) {
    this.blocks = state.blocks;
    this.pools = state.pools;
    this.uses = state.uses;
    this.pendingFrees = pendingFrees;
    this.completion = completion;
    this.configuration = state.configuration;
  }

  void setStatus(BooleanSupplier capturing) {
    currentStreamIsCapturing = capturing;
  }

  /** Whether the current call is part of a capture. */
  boolean isActive() {
    return activeCount > 0 && currentStreamIsCapturing.getAsBoolean();
  }

  void begin() {
    activeCount++;
  }

  /** Ends a capture. The next request or emptied cache processes the deferred frees. */
  void end() {
    if (activeCount == 0) {
      throw new IllegalStateException("markCaptureEnd called with no captures in progress");
    }
    activeCount--;
  }

  /** Records that a stream uses a block. */
  void recordUse(int block, int stream) {
    if (blocks.stream(block) == stream) {
      return;
    }
    uses.add(block, stream);
    if (isActive()) {
      capturedUses.computeIfAbsent(block, b -> new HashSet<>()).add(stream);
    }
  }

  /** Defers the free of a block that other streams use. */
  void defer(int block) {
    deferredFrees.add(block);
  }

  /** Discards the captured uses of a block that is freed outside a capture: none is dropped. */
  void discardUses(int block) {
    if (!capturedUses.isEmpty()) {
      capturedUses.remove(block);
    }
  }

  /** Lets the deferred blocks wait for the uses that were not recorded during a capture. */
  void processDeferred() {
    if (deferredFrees.isEmpty()) {
      return;
    }
    deferredFrees.forEach(this::process);
    deferredFrees.clear();
  }

  /**
   * Ends the scope of a pool, and processes its deferred frees if {@code
   * graph_capture_record_stream_reuse} is set.
   */
  void endScope(PoolId id) {
    pools.endScope(id);
    PrivatePool pool = pools.find(id);
    if (pool == null || deferredFrees.isEmpty() || !configuration.graphCaptureRecordStreamReuse()) {
      return;
    }
    List<Integer> ofPool =
        deferredFrees.stream()
            .filter(block -> pools.get(blocks.pool(block)).owner() == pool)
            .toList();
    deferredFrees.removeAll(ofPool);
    ofPool.forEach(this::process);
  }

  private void process(int block) {
    Set<Integer> ordered = capturedUses.remove(block);
    if (ordered != null) {
      ordered.forEach(stream -> uses.remove(block, stream));
    }
    pendingFrees.await(block);
    if (blocks.pendingEvents(block) == 0 && !uses.any(block)) {
      completion.complete(block);
    }
  }
}
