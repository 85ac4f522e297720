package dev.vramscope.device.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.Pattern;
import dev.vramscope.device.PendingCheck;
import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * Work by the driver alone, where it does not take our device code: less than {@link KernelWork},
 * but it finds a block that was given away twice.
 *
 * <ul>
 *   <li>A fill writes one 32-bit number all over the range: the low half of the pattern's first
 *       word. Bytes after the last 4 are left out.
 *   <li>A check looks at both ends of the range only, at most {@link #END_BYTES} each.
 *   <li>A spin takes no time.
 * </ul>
 */
final class MemsetWork implements DeviceWork {
  /** What is looked at, at each end. */
  private static final long END_BYTES = 4096;

  private final CudaContext context;
  private final CudaStreams streams;
  private final PinnedSlots copies;

  MemsetWork(CudaContext context, CudaStreams streams, CudaHostMemory hostMemory) {
    this.context = context;
    this.streams = streams;
    this.copies = new PinnedSlots(hostMemory, 2 * END_BYTES);
  }

  private static int number(long seed) {
    return (int) Pattern.word(seed, 0);
  }

  @Override
  public void fill(int stream, long address, long bytes, long seed) {
    WorkRange.require(address, bytes);
    DeviceAddress start = DeviceAddress.at(address);
    var queue = streams.stream(stream);
    int number = number(seed);
    long count = bytes / Integer.BYTES;
    if (count > 0) {
      context.run(
          () -> JCudaDriver.cuMemsetD32Async(start, number, count, queue),
          () -> "cuMemsetD32Async of %d bytes at 0x%x".formatted(bytes, address));
    }
  }

  @Override
  public PendingCheck check(int stream, long address, long bytes, long seed) {
    WorkRange.require(address, bytes);
    long filled = bytes / Integer.BYTES * Integer.BYTES;
    long head = Math.min(filled, END_BYTES);
    long tail = Math.min(filled - head, END_BYTES);
    MemorySegment copy = copies.take();
    copy(stream, copy.address(), address, head);
    copy(stream, copy.address() + head, address + filled - tail, tail);
    return new Check(
        streams.recordEvent(stream), copy, head, tail, filled - tail - head, number(seed));
  }

  private void copy(int stream, long to, long from, long bytes) {
    if (bytes == 0) {
      return;
    }
    HostAddress target = HostAddress.at(to);
    DeviceAddress source = DeviceAddress.at(from);
    var queue = streams.stream(stream);
    context.run(
        () -> JCudaDriver.cuMemcpyDtoHAsync(target, source, bytes, queue),
        () -> "cuMemcpyDtoHAsync of %d bytes from 0x%x".formatted(bytes, from));
  }

  @Override
  public boolean isComplete() {
    return false;
  }

  @Override
  public void spin(int stream, long nanos) {}

  @Override
  public void await(int stream, long event) {
    streams.await(stream, event);
  }

  private final class Check implements PendingCheck {
    private final long event;
    private final MemorySegment copy;
    private final long head;
    private final long tail;
    private final long between;
    private final int number;
    private @Nullable CheckResult result;

    private Check(long event, MemorySegment copy, long head, long tail, long between, int number) {
      this.event = event;
      this.copy = copy;
      this.head = head;
      this.tail = tail;
      this.between = between;
      this.number = number;
    }

    @Override
    public synchronized boolean isDone() {
      return result != null || streams.isDone(event);
    }

    @Override
    public synchronized CheckResult result() {
      if (result == null) {
        streams.synchronizeEvent(event);
        streams.freeEvent(event);
        result = compare();
        copies.giveBack(copy);
      }
      return result;
    }

    /** Words are of 64 bits to the outside. */
    private CheckResult compare() {
      long mismatches = 0;
      long first = CheckResult.NOWHERE;
      long counted = CheckResult.NOWHERE;
      for (long at = 0; at < head + tail; at += Integer.BYTES) {
        long offset = at < head ? at : at + between;
        long word = offset / Long.BYTES * Long.BYTES;
        if (copy.get(JAVA_INT_UNALIGNED, at) != number && word != counted) {
          mismatches++;
          counted = word;
          first = first == CheckResult.NOWHERE ? word : first;
        }
      }
      return mismatches == 0 ? CheckResult.MATCH : new CheckResult(mismatches, first);
    }
  }
}
