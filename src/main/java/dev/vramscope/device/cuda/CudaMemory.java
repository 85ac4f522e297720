package dev.vramscope.device.cuda;

import dev.vramscope.device.DeviceMemory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** Memory by {@code cuMemAlloc}. Giving it back waits until the whole card is idle. */
final class CudaMemory implements DeviceMemory {
  private final CudaContext context;
  private final long totalBytes;
  private final Set<Long> out = ConcurrentHashMap.newKeySet();

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

  /** Free and total. */
  private long[] info() {
    long[] free = new long[1];
    long[] total = new long[1];
    context.run(() -> JCudaDriver.cuMemGetInfo(free, total), () -> "cuMemGetInfo");
    return new long[] {free[0], total[0]};
  }

  @Override
  public long allocate(long bytes) {
    DeviceAddress found = new DeviceAddress();
    int result = context.answerLong(() -> JCudaDriver.cuMemAlloc(found, bytes));
    if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      return 0;
    }
    context.require(result, () -> "cuMemAlloc of %d bytes".formatted(bytes));
    out.add(found.value());
    return found.value();
  }

  @Override
  public void free(long address) {
    if (!out.remove(address)) {
      throw new IllegalArgumentException(
          "No memory was allocated at 0x" + Long.toHexString(address) + " on this device.");
    }
    DeviceAddress given = DeviceAddress.at(address);
    boolean freed = false;
    try {
      context.runLong(
          () -> JCudaDriver.cuMemFree(given), () -> "cuMemFree of 0x%x".formatted(address));
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
