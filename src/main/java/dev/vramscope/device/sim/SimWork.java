package dev.vramscope.device.sim;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.PendingCheck;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The work of a simulated card: fills leave {@link Stamps}, checks look for them. */
final class SimWork implements DeviceWork {
  /** About what it takes to begin a kernel. */
  private static final long LAUNCH_NANOS = 2_000;

  /** 2 TB/s, between an A100 and an H100. */
  private static final long BYTES_PER_NANO = 2_000;

  private final WorkStreams streams;
  private final Stamps stamps;

  SimWork(WorkStreams streams, Stamps stamps) {
    this.streams = streams;
    this.stamps = stamps;
  }

  @Override
  public void fill(int stream, long address, long bytes, long seed) {
    requireRange(address, bytes);
    streams.enqueue(stream, nanos(bytes), () -> stamps.fill(address, bytes, seed));
  }

  @Override
  public PendingCheck check(int stream, long address, long bytes, long seed) {
    requireRange(address, bytes);
    Check check = new Check(address, bytes, seed);
    streams.enqueue(stream, nanos(bytes), check);
    check.event = streams.recordEvent(stream);
    return check;
  }

  @Override
  public boolean isComplete() {
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

  private static void requireRange(long address, long bytes) {
    if (address % Long.BYTES != 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "Work is done on a range of 0 bytes or more that begins at a multiple of 8, got %d at 0x%x."
              .formatted(bytes, address));
    }
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
      result = stamps.compare(address, bytes, seed);
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
