package dev.vramscope.intake;

import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.StoreFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.util.unit.DataSize;

/** An intake with a store, assembled like that of the service, without Spring. */
public final class IntakeFixture implements AutoCloseable {
  public static final IntakeLimits LIMITS =
      new IntakeLimits(
          DataSize.ofGigabytes(8), DataSize.ofGigabytes(16), 1000, Duration.ofHours(2));

  private final StoreFixture store;
  private final Intake intake;

  public IntakeFixture(Path dataDir) {
    this(dataDir, LIMITS);
  }

  public IntakeFixture(Path dataDir, IntakeLimits limits) {
    this(new StoreFixture(dataDir), limits);
  }

  public IntakeFixture(StoreFixture store, IntakeLimits limits) {
    this.store = store;
    intake = new Intake(store.spool(), store.store(), limits, new IntakeSettings(256, 60));
  }

  public Intake intake() {
    return intake;
  }

  public SnapshotStore store() {
    return store.store();
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
