package dev.vramscope.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was deleted is given back to the disk when the service stops, and sooner when it runs on.
 */
class FileGrowthIT {
  private static final int MIB = 1 << 20;

  @TempDir Path folder;

  @Test
  void deletedSnapshotsGiveTheirSpaceBackWithARestart() throws Exception {
    try (StoreFixture fixture = new StoreFixture(folder)) {
      for (int i = 0; i < 8; i++) {
        save(fixture, i, 4 * MIB);
      }
    }
    long full = databaseBytes();
    try (StoreFixture fixture = new StoreFixture(folder)) {
      for (StoredSnapshot stored :
          fixture.store().find(new SnapshotFilter(null, null, null, null, null, 7, 0))) {
        fixture.store().delete(stored.id());
      }
    }
    long after = databaseBytes();
    assertTrue(full > 32L * MIB, full + " bytes for 8 files of 4 MiB");
    assertTrue(after < 10L * MIB, after + " bytes for 1 file of 4 MiB, after " + full);
  }

  private static void save(StoreFixture fixture, long seed, int length) throws IOException {
    byte[] file = new byte[length];
    new SplittableRandom(seed).nextBytes(file);
    Snapshot snapshot = new RandomSnapshots(seed).next(100);
    new TestUploads(fixture.spool()).save(fixture.store(), snapshot, file, Tags.NONE);
  }

  private long databaseBytes() throws IOException {
    return Files.size(folder.resolve("vramscope.mv.db"));
  }
}
