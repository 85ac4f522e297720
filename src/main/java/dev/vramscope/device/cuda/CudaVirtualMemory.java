package dev.vramscope.device.cuda;

import dev.vramscope.device.DeviceException;
import dev.vramscope.device.VirtualMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * Address ranges and pages, managed with {@code cuMem*}. Unmapping does not wait for running work.
 */
final class CudaVirtualMemory implements VirtualMemory {
  private final CudaContext context;
  private final DirectCalls calls;
  private final MemorySegment properties;
  private final MemorySegment access;

  /** 0 if the device does not support virtual memory management. */
  private final long granularityBytes;

  /** Address to bytes; for {@link #releaseAll}. */
  private final Map<Long, Long> reservations = new ConcurrentHashMap<>();

  private final Map<Long, Long> mappings = new ConcurrentHashMap<>();
  private final Set<Long> pages = ConcurrentHashMap.newKeySet();

  CudaVirtualMemory(CudaContext context, DirectCalls calls, int ordinal) {
    this.context = context;
    this.calls = calls;
    properties = DirectCalls.propertiesOfDevice(Arena.ofAuto(), ordinal);
    access = DirectCalls.accessByDevice(Arena.ofAuto(), ordinal);
    int supported = CUdevice_attribute.CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    granularityBytes = context.attribute(supported) != 0 ? queryGranularity() : 0;
  }

  private long queryGranularity() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment granularity = arena.allocate(ValueLayout.JAVA_LONG);
      context.run(
          () -> calls.memGetAllocationGranularity(granularity, properties),
          () -> "cuMemGetAllocationGranularity");
      return granularity.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  @Override
  public long granularityBytes() {
    if (granularityBytes == 0) {
      throw new DeviceException(
          "This device does not support virtual memory management; use settings without"
              + " expandable segments.");
    }
    return granularityBytes;
  }

  @Override
  public long reserve(long bytes) {
    long rounded = Math.ceilDiv(bytes, granularityBytes()) * granularityBytes();
    DevicePointer pointer = new DevicePointer();
    DevicePointer anywhere = DevicePointer.at(0);
    int result =
        context.call(() -> JCudaDriver.cuMemAddressReserve(pointer, rounded, 0, anywhere, 0));
    if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      return 0;
    }
    context.require(result, () -> "cuMemAddressReserve of %d bytes".formatted(rounded));
    reservations.put(pointer.value(), rounded);
    return pointer.value();
  }

  @Override
  public void freeReservation(long address, long bytes) {
    long rounded = Math.ceilDiv(bytes, granularityBytes()) * granularityBytes();
    DevicePointer pointer = DevicePointer.at(address);
    context.run(
        () -> JCudaDriver.cuMemAddressFree(pointer, rounded),
        () -> "cuMemAddressFree of %d bytes at 0x%x".formatted(rounded, address));
    reservations.remove(address);
  }

  @Override
  public long createPage(long bytes) {
    granularityBytes();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment page = arena.allocate(ValueLayout.JAVA_LONG);
      int result = context.callBlocking(() -> calls.memCreate(page, bytes, properties));
      if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
        return 0;
      }
      context.require(result, () -> "cuMemCreate of %d bytes".formatted(bytes));
      long handle = page.get(ValueLayout.JAVA_LONG, 0);
      pages.add(handle);
      return handle;
    }
  }

  @Override
  public void map(long address, long bytes, long page) {
    context.run(
        () -> calls.memMap(address, bytes, page),
        () -> "cuMemMap of page 0x%x to %d bytes at 0x%x".formatted(page, bytes, address));
    mappings.put(address, bytes);
  }

  @Override
  public void setAccess(long address, long bytes) {
    context.run(
        () -> calls.memSetAccess(address, bytes, access),
        () -> "cuMemSetAccess of %d bytes at 0x%x".formatted(bytes, address));
  }

  @Override
  public void unmap(long address, long bytes) {
    DevicePointer pointer = DevicePointer.at(address);
    context.run(
        () -> JCudaDriver.cuMemUnmap(pointer, bytes),
        () -> "cuMemUnmap of %d bytes at 0x%x".formatted(bytes, address));
    mappings.remove(address);
  }

  @Override
  public void releasePage(long page) {
    context.run(() -> calls.memRelease(page), () -> "cuMemRelease of page 0x%x".formatted(page));
    pages.remove(page);
  }

  /** Unmaps and frees everything. No work may be using it. */
  void releaseAll() {
    mappings.forEach((address, bytes) -> context.attempt(() -> unmap(address, bytes)));
    pages.forEach(page -> context.attempt(() -> releasePage(page)));
    reservations.forEach(
        (address, bytes) -> context.attempt(() -> freeReservation(address, bytes)));
  }
}
