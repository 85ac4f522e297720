package dev.vramscope.device.cuda;

import dev.vramscope.device.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUresult;

/** Pinned memory, allocated with {@code cuMemHostAlloc}. */
final class CudaHostMemory implements HostMemory {
  private final CudaContext context;
  private final DirectCalls calls;
  private final Set<Long> allocated = ConcurrentHashMap.newKeySet();

  CudaHostMemory(CudaContext context, DirectCalls calls) {
    this.context = context;
    this.calls = calls;
  }

  @Override
  public long allocate(long bytes) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment pointer = arena.allocate(ValueLayout.JAVA_LONG);
      int result = context.callBlocking(() -> calls.memHostAlloc(pointer, bytes));
      if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
        return 0;
      }
      context.require(result, () -> "cuMemHostAlloc of %d bytes".formatted(bytes));
      long address = pointer.get(ValueLayout.JAVA_LONG, 0);
      allocated.add(address);
      return address;
    }
  }

  @Override
  public void free(long address) {
    if (!allocated.remove(address)) {
      throw new IllegalArgumentException(
          "No pinned memory is allocated at 0x" + Long.toHexString(address) + ".");
    }
    boolean freed = false;
    try {
      context.runBlocking(
          () -> calls.memFreeHost(address), () -> "cuMemFreeHost of 0x%x".formatted(address));
      freed = true;
    } finally {
      if (!freed) {
        allocated.add(address);
      }
    }
  }

  /** Frees everything that is allocated. */
  void freeAll() {
    allocated.forEach(address -> context.attempt(() -> free(address)));
  }
}
