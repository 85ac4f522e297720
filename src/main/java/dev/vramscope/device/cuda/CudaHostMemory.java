package dev.vramscope.device.cuda;

import dev.vramscope.device.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUresult;

/** Pinned memory by {@code cuMemHostAlloc}. */
final class CudaHostMemory implements HostMemory {
  private final CudaContext context;
  private final DirectCalls calls;
  private final Set<Long> out = ConcurrentHashMap.newKeySet();

  CudaHostMemory(CudaContext context, DirectCalls calls) {
    this.context = context;
    this.calls = calls;
  }

  @Override
  public long allocate(long bytes) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment found = arena.allocate(ValueLayout.JAVA_LONG);
      int result = context.answerLong(() -> calls.memHostAlloc(found, bytes));
      if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
        return 0;
      }
      context.require(result, () -> "cuMemHostAlloc of %d bytes".formatted(bytes));
      long address = found.get(ValueLayout.JAVA_LONG, 0);
      out.add(address);
      return address;
    }
  }

  @Override
  public void free(long address) {
    if (!out.remove(address)) {
      throw new IllegalArgumentException(
          "No pinned memory was allocated at 0x" + Long.toHexString(address) + ".");
    }
    boolean freed = false;
    try {
      context.runLong(
          () -> calls.memFreeHost(address), () -> "cuMemFreeHost of 0x%x".formatted(address));
      freed = true;
    } finally {
      if (!freed) {
        out.add(address);
      }
    }
  }

  /** Gives back all that is out. */
  void freeAll() {
    out.forEach(address -> context.attempt(() -> free(address)));
  }
}
