package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;
import dev.vramscope.model.pool.ChunkMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The states of a BFC allocator during a recording that contains its whole run. The trace is
 * applied once, which also shows whether the rules lead to the recorded final state; copies of the
 * chunks on the way are kept, so that a state takes the events since the copy before it. Immutable
 * after construction.
 */
final class PoolStates {
  /** Fewer events between two copies are not worth the heap. */
  private static final int LEAST_INTERVAL = 2_048;

  /**
   * All copies together have at most as many chunks, of about 110 bytes of heap each; {@code
   * AnalysisHeap} counts them.
   */
  private static final int MOST_KEPT_CHUNKS = 100_000;

  private final Trace trace;

  /** The chunks before an event, by that event; the first is that of an empty pool. */
  private final TreeMap<Integer, ChunkMap> copies = new TreeMap<>();

  private final boolean isExact;

  private PoolStates(DeviceSnapshot device) {
    trace = device.trace();
    ChunkMap pool = new ChunkMap();
    copies.put(0, new ChunkMap());
    int interval = LEAST_INTERVAL;
    long kept = 0;
    for (int event = 0; event < trace.size(); event++) {
      if (event > 0 && event % interval == 0) {
        while (kept + pool.chunkCount() > MOST_KEPT_CHUNKS && copies.size() > 1) {
          interval *= 2;
          kept = thinOut(interval);
        }
        if (event % interval == 0 && kept + pool.chunkCount() <= MOST_KEPT_CHUNKS) {
          copies.put(event, pool.copy());
          kept += pool.chunkCount();
        }
      }
      apply(trace, event, pool);
    }
    isExact = pool.outside() == 0 && pool.overlapping() == 0 && isFinal(device, pool);
    if (!isExact) {
      copies.clear();
    }
  }

  static PoolStates of(DeviceSnapshot device) {
    return new PoolStates(device);
  }

  /** Removes the copies that are not at a multiple of the interval; the chunks of the others. */
  private long thinOut(int interval) {
    copies.keySet().removeIf(event -> event % interval != 0);
    return copies.values().stream().mapToLong(ChunkMap::chunkCount).sum();
  }

  /**
   * The state after an event: exact, or empty if the recording begins in mid-run or the rules do
   * not lead to its final state.
   */
  Optional<AllocatorState> at(int event) {
    if (!isExact) {
      return Optional.empty();
    }
    return Optional.of(new AllocatorState(event, segments(event), 0, 0, List.of()));
  }

  private List<Segment> segments(int event) {
    Map.Entry<Integer, ChunkMap> before = copies.floorEntry(event + 1);
    ChunkMap pool = before.getValue().copy();
    for (int next = before.getKey(); next <= event; next++) {
      apply(trace, next, pool);
    }
    return pool.segments();
  }

  private static void apply(Trace trace, int event, ChunkMap pool) {
    long address = trace.address(event);
    switch (trace.action(event)) {
      case SEGMENT_ALLOC -> pool.acquire(address, trace.bytes(event));
      case SEGMENT_FREE -> pool.release(address);
      case ALLOC -> pool.allocate(address, trace.bytes(event), trace.stack(event));
      case FREE_REQUESTED, FREE_COMPLETED -> pool.free(address);
      default -> {
        // A failed request, or not a matter of memory.
      }
    }
  }

  private static boolean isFinal(DeviceSnapshot device, ChunkMap pool) {
    long inUse = 0;
    for (Segment segment : device.segments()) {
      for (Block block : segment.blocks()) {
        if (block.state() != BlockState.INACTIVE) {
          inUse += block.bytes();
          if (pool.bytesInUseAt(block.address()) != block.bytes()) {
            return false;
          }
        }
      }
    }
    return inUse == pool.inUseBytes() && device.reservedBytes() == pool.poolBytes();
  }
}
