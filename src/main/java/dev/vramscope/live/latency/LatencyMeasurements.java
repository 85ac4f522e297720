package dev.vramscope.live.latency;

import dev.vramscope.live.HostedAllocator;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/**
 * The measurements on the devices of hosted allocators: at most one at a time per allocator, of
 * which the latest is kept. They are stopped when the allocator is closed. Thread-safe.
 */
@Component
public final class LatencyMeasurements {
  /** Longer than the longest part of a measurement. */
  private static final Duration MAX_STOP_TIME = Duration.ofSeconds(10);

  private final Map<Long, LatencyMeasurement> latest = new ConcurrentHashMap<>();

  LatencyMeasurements() {}

  /**
   * Starts a measurement, unless one is running.
   *
   * @throws dev.vramscope.live.AllocatorGoneException if the allocator is closed or lost
   */
  public LatencyMeasurement start(HostedAllocator hosted) {
    return latest.compute(
        hosted.id(),
        (id, running) -> {
          if (running != null && !running.progress().isEnded()) {
            return running;
          }
          if (running == null) {
            hosted.onClose(() -> end(id));
          }
          return LatencyMeasurement.start(hosted.device(), LatencyPlan.standard());
        });
  }

  /** The latest measurement on an allocator's device. */
  public Optional<LatencyMeasurement> find(HostedAllocator hosted) {
    return Optional.ofNullable(latest.get(hosted.id()));
  }

  private void end(long id) {
    LatencyMeasurement measurement = latest.remove(id);
    if (measurement == null) {
      return;
    }
    measurement.stop();
    measurement.awaitEnd(MAX_STOP_TIME);
  }
}
