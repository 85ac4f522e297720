package dev.vramscope.device.cuda;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.PendingCheck;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Work by our own device code. The answer of a check lies in pinned memory that the device writes
 * to, two words: how many differ; and the complement of the first one's offset, so that zero means
 * none and the first is the greatest.
 */
final class KernelWork implements DeviceWork {
  private static final long ANSWER_BYTES = 16;

  private final KernelModule kernels;
  private final CudaStreams streams;
  private final PinnedSlots answers;

  KernelWork(KernelModule kernels, CudaStreams streams, CudaHostMemory hostMemory) {
    this.kernels = kernels;
    this.streams = streams;
    this.answers = new PinnedSlots(hostMemory, ANSWER_BYTES);
  }

  @Override
  public void fill(int stream, long address, long bytes, long seed) {
    WorkRange.require(address, bytes);
    kernels.fill(streams.stream(stream), address, bytes, seed);
  }

  @Override
  public PendingCheck check(int stream, long address, long bytes, long seed) {
    WorkRange.require(address, bytes);
    MemorySegment answer = answers.take();
    kernels.verify(streams.stream(stream), address, bytes, seed, answer.address());
    return new Check(streams.recordEvent(stream), answer);
  }

  @Override
  public boolean isComplete() {
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

  private final class Check implements PendingCheck {
    private final long event;
    private final MemorySegment answer;
    private @Nullable CheckResult result;

    private Check(long event, MemorySegment answer) {
      this.event = event;
      this.answer = answer;
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
        long mismatches = answer.getAtIndex(ValueLayout.JAVA_LONG, 0);
        long first = ~answer.getAtIndex(ValueLayout.JAVA_LONG, 1);
        answers.giveBack(answer);
        result = mismatches == 0 ? CheckResult.MATCH : new CheckResult(mismatches, first);
      }
      return result;
    }
  }
}
