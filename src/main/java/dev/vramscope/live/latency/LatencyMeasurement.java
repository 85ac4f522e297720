package dev.vramscope.live.latency;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.live.FailureMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures the latency of memory operations on a device. Thread-safe. */
public final class LatencyMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(LatencyMeasurement.class);
  private static final long MIB = 1L << 20;
  private static final int CLOCK_READINGS = 10_000;

  private final Device device;
  private final LatencyPlan plan;
  private final List<Part> parts = new ArrayList<>();
  private volatile LatencyProgress progress;
  private volatile boolean stopped;
  private final CountDownLatch ended = new CountDownLatch(1);

  /** A measurement of one or two operations with one size. */
  private interface Part {
    List<LatencyDistribution> measure();
  }

  private LatencyMeasurement(Device device, LatencyPlan plan) {
    this.device = device;
    this.plan = plan;
    DriverLatency driver = new DriverLatency(device, plan);
    CachedLatency cached = new CachedLatency(device, plan);
    for (long bytes : plan.sizes()) {
      parts.add(() -> driver.idle(bytes));
      parts.add(() -> driver.busy(bytes));
      parts.add(() -> driver.mapping(bytes));
      parts.add(() -> cached.measure(bytes));
    }
    progress = new LatencyProgress(0, parts.size(), null, null);
  }

  /**
   * Measures on the calling thread. The device should be idle otherwise.
   *
   * @throws dev.vramscope.device.DeviceException if the device has too little free memory, or fails
   */
  public static LatencyReport of(Device device, LatencyPlan plan) {
    LatencyMeasurement measurement = new LatencyMeasurement(device, plan);
    measurement.measure();
    return Objects.requireNonNull(measurement.progress.report());
  }

  /** Starts measuring on a new thread. */
  public static LatencyMeasurement start(Device device, LatencyPlan plan) {
    LatencyMeasurement measurement = new LatencyMeasurement(device, plan);
    Thread.ofPlatform()
        .name("latency-" + device.name())
        .daemon()
        .start(measurement::runInBackground);
    return measurement;
  }

  public LatencyProgress progress() {
    return progress;
  }

  /** Ends the measurement after the current part. */
  public void stop() {
    stopped = true;
  }

  /** Waits for the end of a started measurement, up to this time. Returns whether it has ended. */
  boolean awaitEnd(Duration atMost) {
    try {
      return ended.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void runInBackground() {
    try {
      measure();
    } catch (RuntimeException | Error failure) {
      LOG.warn("Measuring the latencies of {} failed", device.name(), failure);
      fail(FailureMessage.of(failure));
    } finally {
      ended.countDown();
    }
  }

  private void measure() {
    requireFreeMemory();
    long timerNanos = timerNanos();
    List<LatencyDistribution> distributions = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      if (stopped) {
        fail("stopped");
        return;
      }
      distributions.addAll(parts.get(part).measure());
      progress = new LatencyProgress(part + 1, parts.size(), null, null);
    }
    progress =
        new LatencyProgress(
            parts.size(),
            parts.size(),
            new LatencyReport(device.name(), device.isSimulated(), plan, timerNanos, distributions),
            null);
  }

  /** Checked first, so that a measurement does not run out of memory halfway. */
  private void requireFreeMemory() {
    long needed = Math.max(Collections.max(plan.sizes()), CachedLatency.MIN_SEGMENT_BYTES);
    long free = device.memory().freeBytes();
    if (free < needed) {
      throw new DeviceException(
          "Measuring needs %d MiB, but %s has only %d MiB free; close other users of the device first."
              .formatted(needed / MIB, device.name(), free / MIB));
    }
  }

  private void fail(String reason) {
    progress = new LatencyProgress(progress.partsDone(), parts.size(), null, reason);
  }

  private static long timerNanos() {
    Stopwatch readings = new Stopwatch();
    for (int i = 0; i < CLOCK_READINGS; i++) {
      readings.begin();
      readings.end();
    }
    return readings.medianNanos();
  }
}
