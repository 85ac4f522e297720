package dev.vramscope.device.cuda;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.Pattern;
import dev.vramscope.device.PendingCheck;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Work done by our own kernels. A check writes its result to two words of pinned memory: the number
 * of mismatched words, and the complement of the offset of the first one, so that 0 means none and
 * the kernel can use an atomic maximum.
 */
final class KernelWork implements DeviceWork {
  private static final long RESULT_BYTES = 16;
  private static final ValueLayout.OfLong LITTLE_ENDIAN_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final KernelModule kernels;
  private final CudaStreams streams;
  private final PinnedBufferPool results;
  private final HostCopies hostCopies;

  KernelWork(
      KernelModule kernels, CudaContext context, CudaStreams streams, CudaHostMemory hostMemory) {
    this.kernels = kernels;
    this.streams = streams;
    this.results = new PinnedBufferPool(hostMemory, RESULT_BYTES);
    this.hostCopies = new HostCopies(context, streams);
  }

  @Override
  public void fill(int stream, long address, long bytes, long seed) {
    DeviceWork.requireRange(address, bytes);
    kernels.fill(streams.stream(stream), address, bytes, seed);
  }

  @Override
  public void fillHost(long hostAddress, long bytes, long seed) {
    MemorySegment range = HostCopies.bytes(hostAddress, bytes);
    long words = bytes / Long.BYTES;
    for (long i = 0; i < words; i++) {
      range.setAtIndex(LITTLE_ENDIAN_LONG, i, Pattern.word(seed, i));
    }
    long tail = Pattern.word(seed, words);
    for (long at = words * Long.BYTES; at < bytes; at++) {
      range.set(ValueLayout.JAVA_BYTE, at, (byte) tail);
      tail >>>= Byte.SIZE;
    }
  }

  @Override
  public void copyToDevice(int stream, long hostAddress, long address, long bytes) {
    hostCopies.copyToDevice(stream, hostAddress, address, bytes);
  }

  @Override
  public PendingCheck check(int stream, long address, long bytes, long seed) {
    DeviceWork.requireRange(address, bytes);
    MemorySegment words = results.acquire();
    kernels.verify(streams.stream(stream), address, bytes, seed, words.address());
    return new Check(streams.recordEvent(stream), words);
  }

  @Override
  public boolean checksEveryByte() {
    return true;
  }

  @Override
  public void spin(int stream, long nanos) {
    kernels.spin(streams.stream(stream), nanos);
  }

  @Override
  public void await(int stream, long event) {
    streams.await(stream, event);
  }

  private final class Check extends StreamCheck {
    private final MemorySegment words;

    private Check(long event, MemorySegment words) {
      super(streams, event);
      this.words = words;
    }

    @Override
    CheckResult read() {
      long mismatches = words.getAtIndex(ValueLayout.JAVA_LONG, 0);
      long first = ~words.getAtIndex(ValueLayout.JAVA_LONG, 1);
      results.release(words);
      return mismatches == 0 ? CheckResult.MATCH : new CheckResult(mismatches, first);
    }
  }
}
