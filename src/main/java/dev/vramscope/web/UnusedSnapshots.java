package dev.vramscope.web;

import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Forgets loaded snapshots that nobody uses any more. A later request loads them again. */
@Component
final class UnusedSnapshots {
  private static final Duration CACHED_FOR = Duration.ofMinutes(5);

  /** For an upload, which its sender opens next. */
  private static final Duration EVICTED_FOR = Duration.ofMinutes(1);

  private static final Duration INTERVAL = Duration.ofSeconds(15);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("unused-snapshots").factory());

  UnusedSnapshots(SnapshotCache snapshots) {
    timer.scheduleWithFixedDelay(
        () -> snapshots.forgetUnused(CACHED_FOR, EVICTED_FOR),
        INTERVAL.toSeconds(),
        INTERVAL.toSeconds(),
        TimeUnit.SECONDS);
  }

  @PreDestroy
  void stop() {
    timer.shutdownNow();
  }
}
