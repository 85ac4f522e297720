package dev.vramscope.live.cost;

import dev.vramscope.live.HostedAllocator;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.springframework.stereotype.Component;

/**
 * The measurements on the cards of hosted allocators, one at a time for each, the latest kept. They
 * end when the allocator is closed. Safe for use by several threads.
 */
@Component
public final class CostMeasurements {
  /** Longer than any part of a measurement takes. */
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  private static final long LOOK_NANOS = 10_000_000;

  private final Map<Long, CostMeasurement> latest = new ConcurrentHashMap<>();

  CostMeasurements() {}

  /**
   * Begins to measure, unless that is under way already.
   *
   * @throws dev.vramscope.live.AllocatorGoneException if the allocator is closed or lost
   */
  public CostMeasurement start(HostedAllocator hosted) {
    return latest.compute(
        hosted.id(),
        (id, running) -> {
          if (running != null && !running.progress().isEnded()) {
            return running;
          }
          if (running == null) {
            hosted.onClose(() -> end(id));
          }
          return CostMeasurement.start(hosted.device(), CostPlan.standard());
        });
  }

  /** The latest measurement on an allocator's card. */
  public Optional<CostMeasurement> find(HostedAllocator hosted) {
    return Optional.ofNullable(latest.get(hosted.id()));
  }

  private void end(long id) {
    CostMeasurement measurement = latest.remove(id);
    if (measurement == null) {
      return;
    }
    measurement.stop();
    long deadline = System.nanoTime() + LONGEST_END.toNanos();
    while (!measurement.progress().isEnded() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
