package dev.vramscope.device.cuda;

import dev.vramscope.device.DeviceWork;
import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/** Pinned host memory as the source of asynchronous copies to the device. */
final class HostCopies {
  private final CudaContext context;
  private final CudaStreams streams;

  HostCopies(CudaContext context, CudaStreams streams) {
    this.context = context;
    this.streams = streams;
  }

  /** The bytes at an address of pinned memory. */
  @SuppressWarnings("restricted") // The memory is pinned memory that the driver allocated.
  static MemorySegment bytes(long hostAddress, long bytes) {
    DeviceWork.requireRange(hostAddress, bytes);
    return MemorySegment.ofAddress(hostAddress).reinterpret(bytes);
  }

  void copyToDevice(int stream, long hostAddress, long address, long bytes) {
    DeviceWork.requireRange(address, bytes);
    if (bytes == 0) {
      return;
    }
    DevicePointer target = DevicePointer.at(address);
    HostPointer source = HostPointer.at(hostAddress);
    var queue = streams.stream(stream);
    context.run(
        () -> JCudaDriver.cuMemcpyHtoDAsync(target, source, bytes, queue),
        () -> "cuMemcpyHtoDAsync of %d bytes to 0x%x".formatted(bytes, address));
  }
}
