package dev.vramscope.allocator.direct;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorInspection;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.ReleaseCandidate;
import dev.vramscope.allocator.RequestStep;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.device.Device;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Allocates every block directly from the device. */
public final class DirectAllocator implements Allocator, AllocatorInspection {
  private static final int ONLY_POOL = 0;
  private static final String DRIVER_MESSAGE =
      "CUDA error: out of memory\n"
          + "Search for `cudaErrorMemoryAllocation' in"
          + " https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more"
          + " information.\n";

  private final ReentrantLock lock = new ReentrantLock();
  private final Device device;
  private final Listeners listeners = new Listeners();
  private final Map<Long, BlockView> byHandle = new ConcurrentHashMap<>();
  private final TreeMap<Long, BlockView> byAddress = new TreeMap<>();
  private long allocations;
  private long bytes;
  private long peakBytes;
  private long outOfMemory;

  public DirectAllocator(Device device) {
    this.device = device;
  }

  @Override
  public long allocate(long requestedBytes, int stream) {
    if (requestedBytes == 0) {
      return NO_BLOCK;
    }
    if (requestedBytes < 0) {
      throw new IllegalArgumentException(
          "A request must have 0 bytes or more, got " + requestedBytes);
    }
    lock.lock();
    try {
      long address = device.memory().allocate(requestedBytes);
      listeners.requestStep(RequestStep.ACQUIRE, address != 0, requestedBytes);
      if (address == 0) {
        outOfMemory++;
        listeners.outOfMemory(requestedBytes, device.memory().freeBytes(), stream, ONLY_POOL);
        throw new OutOfDeviceMemoryException(requestedBytes, DRIVER_MESSAGE);
      }
      long handle = ++allocations;
      BlockView block =
          new BlockView(
              handle, address, requestedBytes, requestedBytes, stream, BlockState.ALLOCATED);
      byHandle.put(handle, block);
      byAddress.put(address, block);
      bytes += requestedBytes;
      peakBytes = Math.max(peakBytes, bytes);
      notifyListeners(TraceAction.SEGMENT_ALLOC, block);
      listeners.blockAllocated(address, block.bytes());
      notifyListeners(TraceAction.ALLOC, block);
      return handle;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void free(long handle) {
    if (handle == NO_BLOCK) {
      return;
    }
    lock.lock();
    try {
      BlockView block = require(handle);
      byHandle.remove(handle);
      byAddress.remove(block.address());
      bytes -= block.bytes();
      notifyListeners(TraceAction.FREE_REQUESTED, block);
      notifyListeners(TraceAction.FREE_COMPLETED, block);
      notifyListeners(TraceAction.SEGMENT_FREE, block);
      device.memory().free(block.address());
    } finally {
      lock.unlock();
    }
  }

  private void notifyListeners(TraceAction action, BlockView block) {
    listeners.event(action, block.address(), block.bytes(), block.stream(), ONLY_POOL);
  }

  private BlockView require(long handle) {
    BlockView block = byHandle.get(handle);
    if (block == null) {
      throw new IllegalArgumentException(
          "No allocated block has the handle 0x"
              + Long.toHexString(handle)
              + "; it was freed already or belongs to another allocator.");
    }
    return block;
  }

  @Override
  public long address(long handle) {
    return handle == NO_BLOCK ? 0 : require(handle).address();
  }

  /** Has no effect: the driver waits for all streams when the block is freed. */
  @Override
  public void recordStream(long handle, int stream) {
    if (handle == NO_BLOCK) {
      return;
    }
    lock.lock();
    try {
      require(handle);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public AllocatorInspection inspect() {
    return this;
  }

  @Override
  public boolean tracksStreamUse() {
    return true;
  }

  /** There is no cache. */
  @Override
  public void emptyCache() {}

  @Override
  public AllocatorTotals totals() {
    lock.lock();
    try {
      return new AllocatorTotals(
          bytes,
          bytes,
          bytes,
          bytes,
          peakBytes,
          peakBytes,
          byHandle.size(),
          allocations,
          outOfMemory);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void visitSegments(Consumer<? super SegmentView> visitor) {
    List<BlockView> blocks;
    lock.lock();
    try {
      blocks = List.copyOf(byAddress.values());
      listeners.stateCaptured();
    } finally {
      lock.unlock();
    }
    for (BlockView block : blocks) {
      visitor.accept(
          new SegmentView(
              block.address(),
              block.bytes(),
              block.stream(),
              /* large= */ true,
              /* expandable= */ false,
              PoolId.DEFAULT,
              block.handle() - 1,
              List.of(block)));
    }
  }

  @Override
  public @Nullable BlockView blockAt(long address) {
    lock.lock();
    try {
      Map.Entry<Long, BlockView> entry = byAddress.floorEntry(address);
      return entry == null || entry.getValue().endAddress() <= address ? null : entry.getValue();
    } finally {
      lock.unlock();
    }
  }

  /** Always 0: each block is a segment of its own. */
  @Override
  public long adjacentFreeBytes(long handle) {
    lock.lock();
    try {
      require(handle);
      return 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<ReleaseCandidate> releaseCandidates(int limit) {
    lock.lock();
    try {
      List<ReleaseCandidate> candidates = new ArrayList<>();
      byAddress.values().stream()
          .sorted(Comparator.comparingLong(BlockView::bytes).reversed())
          .limit(limit)
          .forEach(block -> candidates.add(new ReleaseCandidate(block, block.bytes())));
      return candidates;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void addListener(AllocatorListener listener) {
    lock.lock();
    try {
      listeners.add(listener);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void removeListener(AllocatorListener listener) {
    lock.lock();
    try {
      listeners.remove(listener);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void checkInvariants() {
    lock.lock();
    try {
      long sum = 0;
      for (BlockView block : byAddress.values()) {
        sum += block.bytes();
      }
      if (sum != bytes || byAddress.size() != byHandle.size()) {
        throw new IllegalStateException(
            "Invariant violated: the direct allocator counts "
                + bytes
                + " bytes, its blocks have "
                + sum
                + ".");
      }
    } finally {
      lock.unlock();
    }
  }
}
