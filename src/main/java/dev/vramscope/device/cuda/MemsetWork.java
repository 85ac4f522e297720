package dev.vramscope.device.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.Pattern;
import dev.vramscope.device.PendingCheck;
import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;

/**
 * Work done with driver calls only, for drivers that do not accept our kernels. It does less than
 * {@link KernelWork}, but it finds a block that was allocated twice.
 *
 * <ul>
 *   <li>A fill writes the same 32-bit value to the whole range: the low half of the pattern's first
 *       word. A tail of less than 4 bytes is not written.
 *   <li>A check compares only both ends of the range, at most {@link #END_BYTES} each.
 *   <li>A spin takes no time.
 * </ul>
 */
final class MemsetWork implements DeviceWork {
  /** The bytes compared at each end. */
  private static final long END_BYTES = 4096;

  private final CudaContext context;
  private final CudaStreams streams;
  private final PinnedBufferPool copies;
  private final HostCopies hostCopies;

  MemsetWork(CudaContext context, CudaStreams streams, CudaHostMemory hostMemory) {
    this.context = context;
    this.streams = streams;
    this.copies = new PinnedBufferPool(hostMemory, 2 * END_BYTES);
    this.hostCopies = new HostCopies(context, streams);
  }

  private static int value(long seed) {
    return (int) Pattern.word(seed, 0);
  }

  @Override
  public void fill(int stream, long address, long bytes, long seed) {
    DeviceWork.requireRange(address, bytes);
    DevicePointer start = DevicePointer.at(address);
    var queue = streams.stream(stream);
    int value = value(seed);
    long count = bytes / Integer.BYTES;
    if (count > 0) {
      context.run(
          () -> JCudaDriver.cuMemsetD32Async(start, value, count, queue),
          () -> "cuMemsetD32Async of %d bytes at 0x%x".formatted(bytes, address));
    }
  }

  @Override
  public void fillHost(long hostAddress, long bytes, long seed) {
    MemorySegment range = HostCopies.bytes(hostAddress, bytes);
    int value = value(seed);
    for (long at = 0; at + Integer.BYTES <= bytes; at += Integer.BYTES) {
      range.set(JAVA_INT_UNALIGNED, at, value);
    }
  }

  @Override
  public void copyToDevice(int stream, long hostAddress, long address, long bytes) {
    hostCopies.copyToDevice(stream, hostAddress, address, bytes);
  }

  @Override
  public PendingCheck check(int stream, long address, long bytes, long seed) {
    DeviceWork.requireRange(address, bytes);
    long filled = bytes / Integer.BYTES * Integer.BYTES;
    long head = Math.min(filled, END_BYTES);
    long tail = Math.min(filled - head, END_BYTES);
    MemorySegment copy = copies.acquire();
    copy(stream, copy.address(), address, head);
    copy(stream, copy.address() + head, address + filled - tail, tail);
    return new Check(
        streams.recordEvent(stream), copy, head, tail, filled - tail - head, value(seed));
  }

  private void copy(int stream, long to, long from, long bytes) {
    if (bytes == 0) {
      return;
    }
    HostPointer target = HostPointer.at(to);
    DevicePointer source = DevicePointer.at(from);
    var queue = streams.stream(stream);
    context.run(
        () -> JCudaDriver.cuMemcpyDtoHAsync(target, source, bytes, queue),
        () -> "cuMemcpyDtoHAsync of %d bytes from 0x%x".formatted(bytes, from));
  }

  @Override
  public boolean checksEveryByte() {
    return false;
  }

  @Override
  public void spin(int stream, long nanos) {}

  @Override
  public void await(int stream, long event) {
    streams.await(stream, event);
  }

  private final class Check extends StreamCheck {
    private final MemorySegment copy;
    private final long head;
    private final long tail;
    private final long between;
    private final int value;

    private Check(long event, MemorySegment copy, long head, long tail, long between, int value) {
      super(streams, event);
      this.copy = copy;
      this.head = head;
      this.tail = tail;
      this.between = between;
      this.value = value;
    }

    @Override
    CheckResult read() {
      CheckResult result = compare();
      copies.release(copy);
      return result;
    }

    /** Counts 64-bit words, as {@link CheckResult} does. */
    private CheckResult compare() {
      long mismatches = 0;
      long first = CheckResult.NONE;
      long counted = CheckResult.NONE;
      for (long at = 0; at < head + tail; at += Integer.BYTES) {
        long offset = at < head ? at : at + between;
        long word = offset / Long.BYTES * Long.BYTES;
        if (copy.get(JAVA_INT_UNALIGNED, at) != value && word != counted) {
          mismatches++;
          counted = word;
          first = first == CheckResult.NONE ? word : first;
        }
      }
      return mismatches == 0 ? CheckResult.MATCH : new CheckResult(mismatches, first);
    }
  }
}
