package dev.vramscope.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.Tags;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that the start could not open, because the disk was full. */
class LateDatabaseIT {
  private static final String LAST_MIGRATION_IS_MISSING =
      "delete from \"flyway_schema_history\" where \"installed_rank\" ="
          + " (select max(\"installed_rank\") from \"flyway_schema_history\")";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update snapshots set allocated_bytes = 7",
        "update labels set label = 'other'",
        "delete from labels"
      })
  void isVerifiedWhenItIsOpened(String damage) throws Exception {
    try (StoreFixture fixture = new StoreFixture(folder)) {
      Tags tags = new Tags("job", null, null, null, List.of("label"));
      new TestUploads(fixture.spool())
          .save(fixture.store(), new RandomSnapshots(1).next(100), new byte[] {1}, tags);
      fixture.execute(damage);
      // A database of an older release is not opened for reading only.
      fixture.execute(LAST_MIGRATION_IS_MISSING);
    }
    try (StoreFixture fixture = StoreFixture.onFullDisk(folder)) {
      assertThat(fixture.status().readable()).isFalse();
      StoreFixture.freeDisk(folder);
      fixture.awaitReplaced();
    }
  }

  @Test
  void isKeptIfItIsIntact() throws Exception {
    try (StoreFixture fixture = new StoreFixture(folder)) {
      new TestUploads(fixture.spool())
          .save(fixture.store(), new RandomSnapshots(1).next(100), new byte[] {1}, Tags.NONE);
      fixture.execute(LAST_MIGRATION_IS_MISSING);
    }
    try (StoreFixture fixture = StoreFixture.onFullDisk(folder)) {
      StoreFixture.freeDisk(folder);
      await().atMost(Duration.ofMinutes(1)).until(() -> fixture.status().writable());
      fixture.stopMaintenance(); // It ends when it has compared what it has opened.
      assertThat(fixture.status().setAside()).isEmpty();
      assertThat(fixture.store().find(SnapshotFilter.newest(9))).hasSize(1);
    }
  }
}
