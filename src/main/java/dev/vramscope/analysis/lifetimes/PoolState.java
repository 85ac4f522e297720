package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;
import dev.vramscope.model.pool.ChunkMap;
import java.util.List;
import java.util.Optional;

/** The state of a BFC allocator at a moment of a recording that contains its whole run. */
final class PoolState {
  private PoolState() {}

  /**
   * The state after an event: exact, or empty if the recording begins in mid-run or the rules do
   * not lead to its final state.
   */
  static Optional<AllocatorState> at(DeviceSnapshot device, int event) {
    Trace trace = device.trace();
    ChunkMap pool = new ChunkMap();
    List<Segment> segments = List.of();
    for (int next = 0; next < trace.size(); next++) {
      apply(trace, next, pool);
      if (next == event) {
        segments = pool.segments();
      }
    }
    return pool.outside() == 0 && pool.overlapping() == 0 && isFinal(device, pool)
        ? Optional.of(new AllocatorState(event, segments, 0, 0, List.of()))
        : Optional.empty();
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
