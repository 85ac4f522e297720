package dev.vramscope.store;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** The health component {@code store}: down while nothing can be stored. */
@Component("store")
final class StoreHealth implements HealthIndicator {
  private final StoreStatus status;

  StoreHealth(StoreStatus status) {
    this.status = status;
  }

  @Override
  public Health health() {
    StoreStatus.Report report = status.report();
    Health.Builder health = report.writable() ? Health.up() : Health.down();
    if (!report.problem().isEmpty()) {
      health.withDetail("problem", report.problem());
    }
    if (report.rebuilding() > 0) {
      health.withDetail("rebuilt", report.rebuilt() + " of " + report.rebuilding());
    }
    if (!report.unsaved().isEmpty()) {
      health.withDetail("unsaved", report.unsaved());
    }
    if (report.recoveredCount() > 0) {
      health.withDetail("recovered", report.recoveredCount());
    }
    if (report.damagedCount() > 0) {
      health.withDetail("damaged", report.damagedCount());
    }
    return health.build();
  }
}
