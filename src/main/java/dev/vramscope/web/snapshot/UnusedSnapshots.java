package dev.vramscope.web.snapshot;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Forgets loaded snapshots that nobody uses any more. A later request loads them again. */
@Component
@EnableScheduling
final class UnusedSnapshots {
  private static final Duration CACHED_FOR = Duration.ofMinutes(5);

  /** For an upload, which its sender opens next. */
  private static final Duration EVICTED_FOR = Duration.ofMinutes(1);

  private static final long INTERVAL_SECONDS = 15;

  private final SnapshotCache snapshots;

  UnusedSnapshots(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  @Scheduled(
      initialDelay = INTERVAL_SECONDS,
      fixedDelay = INTERVAL_SECONDS,
      timeUnit = TimeUnit.SECONDS)
  void forget() {
    snapshots.forgetUnused(CACHED_FOR, EVICTED_FOR);
  }
}
