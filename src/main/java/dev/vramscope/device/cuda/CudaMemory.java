package dev.vramscope.device.cuda;

import dev.vramscope.device.DeviceMemory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** Memory, allocated with {@code cuMemAlloc}. Freeing waits until the whole device is idle. */
final class CudaMemory implements DeviceMemory {
  private final CudaContext context;
  private final long totalBytes;
  private final Set<Long> allocated = ConcurrentHashMap.newKeySet();

  CudaMemory(CudaContext context) {
    this.context = context;
    this.totalBytes = info()[1];
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public long freeBytes() {
    return info()[0];
  }

  /** Free and total bytes. */
  private long[] info() {
    long[] free = new long[1];
    long[] total = new long[1];
    context.run(() -> JCudaDriver.cuMemGetInfo(free, total), () -> "cuMemGetInfo");
    return new long[] {free[0], total[0]};
  }

  @Override
  public long allocate(long bytes) {
    DevicePointer pointer = new DevicePointer();
    int result = context.callBlocking(() -> JCudaDriver.cuMemAlloc(pointer, bytes));
    if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      return 0;
    }
    context.require(result, () -> "cuMemAlloc of %d bytes".formatted(bytes));
    allocated.add(pointer.value());
    return pointer.value();
  }

  @Override
  public void free(long address) {
    if (!allocated.remove(address)) {
      throw new IllegalArgumentException(
          "No memory is allocated at 0x" + Long.toHexString(address) + " on this device.");
    }
    DevicePointer pointer = DevicePointer.at(address);
    boolean freed = false;
    try {
      context.runBlocking(
          () -> JCudaDriver.cuMemFree(pointer), () -> "cuMemFree of 0x%x".formatted(address));
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
