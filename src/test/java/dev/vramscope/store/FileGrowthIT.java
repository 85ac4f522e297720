package dev.vramscope.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.model.Snapshot;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The space of deleted snapshots is returned to the disk when the service stops. */
class FileGrowthIT {
  private static final int MIB = 1 << 20;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void restartReturnsSpaceOfDeletedSnapshots(boolean oldestFirst) throws Exception {
    try (StoreFixture fixture = new StoreFixture(folder)) {
      for (int i = 0; i < 8; i++) {
        save(fixture, i, 12 * MIB);
      }
    }
    long full = folderBytes();
    try (StoreFixture fixture = new StoreFixture(folder)) {
      SnapshotFilter newest = SnapshotFilter.newest(8);
      List<StoredSnapshot> all = fixture.store().find(newest);
      for (StoredSnapshot stored : oldestFirst ? all.subList(1, 8) : all.subList(0, 7)) {
        assertTrue(fixture.store().delete(stored.id()));
      }
    }
    long after = folderBytes();
    assertTrue(full > 96L * MIB, full + " bytes for 8 files of 12 MiB");
    assertTrue(after < 25L * MIB, after + " bytes for 1 file of 12 MiB, after " + full);
    try (StoreFixture fixture = new StoreFixture(folder)) {
      StoredSnapshot left = fixture.store().find(SnapshotFilter.newest(8)).getFirst();
      try (OriginalFile original = fixture.store().original(left.id()).orElseThrow()) {
        byte[] bytes = original.stream().readAllBytes();
        assertEquals(left.sha256(), TestUploads.sha256(bytes));
      }
    }
  }

  private static void save(StoreFixture fixture, long seed, int length) throws IOException {
    byte[] file = new byte[length];
    new SplittableRandom(seed).nextBytes(file);
    Snapshot snapshot = new RandomSnapshots(seed).next(100);
    new TestUploads(fixture.spool()).save(fixture.store(), snapshot, file, Tags.NONE);
  }

  private long folderBytes() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
