package dev.vramscope.device.sim;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.PendingCheck;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The work of a simulated device: fills are recorded in {@link FilledRanges}, checks compare. */
final class SimWork implements DeviceWork {
  /** About the time of a kernel launch. */
  private static final long LAUNCH_NANOS = 2_000;

  /** 2 TB/s, between the memory bandwidth of an A100 and an H100. */
  private static final long BYTES_PER_NANO = 2_000;

  /** 25 GB/s, about PCI Express 4.0 with 16 lanes. */
  private static final long LINK_BYTES_PER_NANO = 25;

  private final WorkStreams streams;
  private final FilledRanges filledRanges;

  SimWork(WorkStreams streams, FilledRanges filledRanges) {
    this.streams = streams;
    this.filledRanges = filledRanges;
  }

  @Override
  public void fill(int stream, long address, long bytes, long seed) {
    DeviceWork.requireRange(address, bytes);
    streams.enqueue(stream, nanos(bytes), () -> filledRanges.fill(address, bytes, seed));
  }

  @Override
  public void fillHost(long hostAddress, long bytes, long seed) {
    DeviceWork.requireRange(hostAddress, bytes);
    filledRanges.fill(hostAddress, bytes, seed);
  }

  @Override
  public void copyToDevice(int stream, long hostAddress, long address, long bytes) {
    DeviceWork.requireRange(hostAddress, bytes);
    DeviceWork.requireRange(address, bytes);
    streams.enqueue(
        stream,
        LAUNCH_NANOS + bytes / LINK_BYTES_PER_NANO,
        () -> filledRanges.copy(hostAddress, address, bytes));
  }

  @Override
  public PendingCheck check(int stream, long address, long bytes, long seed) {
    DeviceWork.requireRange(address, bytes);
    Check check = new Check(address, bytes, seed);
    streams.enqueue(stream, nanos(bytes), check);
    check.event = streams.recordEvent(stream);
    return check;
  }

  @Override
  public boolean checksEveryByte() {
    return true;
  }

  @Override
  public void spin(int stream, long nanos) {
    streams.enqueue(stream, nanos, () -> {});
  }

  @Override
  public void await(int stream, long event) {
    streams.await(stream, event);
  }

  private static long nanos(long bytes) {
    return LAUNCH_NANOS + bytes / BYTES_PER_NANO;
  }

  private final class Check implements PendingCheck, Runnable {
    private final long address;
    private final long bytes;
    private final long seed;
    private long event;
    private volatile @Nullable CheckResult result;

    private Check(long address, long bytes, long seed) {
      this.address = address;
      this.bytes = bytes;
      this.seed = seed;
    }

    @Override
    public void run() {
      result = filledRanges.compare(address, bytes, seed);
    }

    @Override
    public boolean isDone() {
      return result != null || streams.isDone(event);
    }

    @Override
    public CheckResult result() {
      if (result == null) {
        streams.synchronizeEvent(event);
      }
      return Objects.requireNonNull(result);
    }
  }
}
