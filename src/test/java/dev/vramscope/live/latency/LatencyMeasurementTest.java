package dev.vramscope.live.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.device.DeviceException;
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaEmulator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.device.sim.TimedSimDevice;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyMeasurementTest {
  private static final long MIB = 1L << 20;
  private static final long BUSY_NANOS = 3_000_000;
  private static final LatencyPlan SMALL =
      new LatencyPlan(List.of(2 * MIB, 4 * MIB), 20, 5, BUSY_NANOS, 500);

  private final TimedSimDevice device = SimDevice.timed(100 * MIB);

  @Test
  void timesEveryOperationForEverySize() {
    LatencyReport report = LatencyMeasurement.of(device, SMALL);
    for (long bytes : SMALL.sizes()) {
      for (TimedOperation operation : TimedOperation.values()) {
        LatencyDistribution latencies = report.of(operation, bytes);
        assertThat(latencies.count()).isEqualTo(samples(operation));
        assertThat(latencies.minNanos()).isLessThanOrEqualTo(latencies.p50Nanos());
        assertThat(latencies.p50Nanos()).isLessThanOrEqualTo(latencies.p99Nanos());
        assertThat(latencies.p999Nanos()).isLessThanOrEqualTo(latencies.maxNanos());
        assertEquals(
            latencies.count(),
            latencies.buckets().stream().mapToLong(LatencyDistribution.Bucket::count).sum());
        assertThat(latencies.buckets().getFirst().count()).isPositive();
        assertThat(latencies.buckets().getLast().count()).isPositive();
      }
    }
    assertThat(report.timerNanos()).isGreaterThanOrEqualTo(0);
    assertThat(report.driverPairOverCachedPair(4 * MIB)).isPositive();
  }

  private static long samples(TimedOperation operation) {
    return switch (operation) {
      case DRIVER_FREE_BUSY -> SMALL.busySamples();
      case CACHED_ALLOCATE, CACHED_FREE -> SMALL.cachedSamples();
      default -> SMALL.driverSamples();
    };
  }

  @Test
  void freeWaitsForBusyStream() {
    LatencyReport report = LatencyMeasurement.of(device, SMALL);
    LatencyDistribution busy = report.of(TimedOperation.DRIVER_FREE_BUSY, 4 * MIB);
    // Real time: the free starts a little later than the work, but not in each of five samples by
    // more than half of its duration.
    assertThat(busy.maxNanos()).isGreaterThan(BUSY_NANOS / 2);
    assertThat(busy.maxNanos())
        .isGreaterThan(report.of(TimedOperation.CACHED_FREE, 4 * MIB).p50Nanos());
  }

  @Test
  void nothingStaysAllocated() {
    LatencyMeasurement.of(device, SMALL);
    assertEquals(0, device.underlying().usedBytes());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuLaunchKernel",
        "cuMemMap",
        "cuMemSetAccess",
        "cuStreamSynchronize",
        "cuCtxSynchronize"
      })
  void nothingStaysAllocatedWhenTheDriverFails(String call) {
    CudaEmulator emulator = CudaEmulator.ofBytes(100 * MIB);
    try (CudaDevice cuda = emulator.open()) {
      cuda.work();
      emulator.fail(call, 2, /* CUDA_ERROR_INVALID_VALUE */ 1);
      assertThat(assertThrows(DeviceException.class, () -> LatencyMeasurement.of(cuda, SMALL)))
          .hasMessageContaining(call);
      assertEquals(0, emulator.usedBytes());
    }
  }

  @Test
  void reportOfASimulatedDeviceHasAWarning() {
    LatencyReport report = LatencyMeasurement.of(device, SMALL);
    assertTrue(report.simulated());
    assertThat(report.warning().orElseThrow()).contains("simulated device of 100 MiB");
  }

  @Test
  void rejectsDeviceWithTooLittleFreeMemory() {
    device.memory().allocate(98 * MIB);
    DeviceException refused =
        assertThrows(DeviceException.class, () -> LatencyMeasurement.of(device, SMALL));
    assertThat(refused).hasMessageContaining("Measuring needs 20 MiB", "2 MiB free");
  }

  @Test
  void reportsProgressInTheBackground() {
    LatencyMeasurement measurement = LatencyMeasurement.start(device, SMALL);
    LatencyProgress progress = awaitEnd(measurement);
    assertEquals(8, progress.partCount());
    assertEquals(8, progress.partsDone());
    assertNotNull(progress.report());
  }

  @Test
  void progressReportsFailure() {
    device.memory().allocate(98 * MIB);
    LatencyProgress progress = awaitEnd(LatencyMeasurement.start(device, SMALL));
    assertThat(progress.failure()).startsWith("Measuring needs 20 MiB");
  }

  @Test
  void stoppedMeasurementHasNoReport() {
    LatencyMeasurement measurement;
    // Every method of the streams acquires this monitor, so the first part does not end before.
    synchronized (device.streams()) {
      measurement = LatencyMeasurement.start(device, SMALL);
      measurement.stop();
    }
    LatencyProgress progress = awaitEnd(measurement);
    assertEquals("stopped", progress.failure());
    assertThat(progress.partsDone()).isLessThanOrEqualTo(1);
    assertEquals(0, device.underlying().usedBytes());
  }

  /** The deadline only turns a hang into a failure. */
  private static LatencyProgress awaitEnd(LatencyMeasurement measurement) {
    assertTrue(measurement.awaitEnd(Duration.ofSeconds(60)));
    assertTrue(measurement.progress().isEnded());
    return measurement.progress();
  }

  @Test
  void rejectsInvalidPlans() {
    assertThrows(IllegalArgumentException.class, () -> new LatencyPlan(List.of(), 1, 1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new LatencyPlan(List.of(MIB), 1, 1, 1, 1));
    assertThrows(
        IllegalArgumentException.class, () -> new LatencyPlan(List.of(2 * MIB), 0, 1, 1, 1));
    LatencyReport report = LatencyMeasurement.of(device, SMALL);
    assertThrows(IllegalArgumentException.class, () -> report.of(TimedOperation.DRIVER_MAP, MIB));
  }
}
