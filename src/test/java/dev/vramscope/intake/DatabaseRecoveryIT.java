package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.vramscope.store.StoreFixture;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.unit.DataSize;

/** A database that is damaged or missing is rebuilt from the original files. */
class DatabaseRecoveryIT extends OnDataFolder {
  @ParameterizedTest
  @EnumSource
  void databaseIsRebuiltWithNamesTagsAndTimes(DatabaseDamage damage) throws Exception {
    fixture.close();
    damage.damage(database());
    reopenAndAwaitRebuilt();
    assertEverythingIsThere();
    if (damage.isRejectedByH2()) {
      assertThat(names(folder)).anyMatch(name -> name.startsWith("vramscope-replaced-20"));
      reopen();
      String setAside = status().setAside().getFirst();
      assertThat(setAside).startsWith("vramscope-replaced-20");
      assertThat(status().isGood()).isTrue();
      Files.delete(folder.resolve(setAside));
      assertThat(status().setAside()).isEmpty();
    }
    reopen();
    assertThat(status().isGood()).isTrue();
    assertEverythingIsThere();
  }

  @Test
  void databaseWithDamagedRowPagesIsReplaced() throws Exception {
    fixture.close();
    damageRowPages();
    reopen();
    fixture.storeFixture().awaitReplaced();
    fixture.storeFixture().awaitRebuilt();
    assertEverythingIsThere();
    reopen();
    assertThat(status().isGood()).isTrue();
    assertEverythingIsThere();
  }

  @Test
  void storeWhoseDatabaseHasClosedItselfAndIsDamagedIsClosedWithoutWaiting() throws Exception {
    execute("shutdown immediately"); // As H2 does after an error.
    DatabaseDamage.GARBAGE.damage(database());
    long start = System.nanoTime();
    fixture.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    reopenAndAwaitRebuilt();
    assertEverythingIsThere();
  }

  @Test
  void readOfDatabaseThatHasClosedItselfAndIsDamagedDoesNotWait() throws Exception {
    execute("shutdown immediately");
    DatabaseDamage.GARBAGE.damage(database());
    long start = System.nanoTime();
    fixture.store().find(SnapshotFilter.newest(9));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    fixture.storeFixture().awaitReplaced();
    await("all rows are rebuilt")
        .atMost(Duration.ofMinutes(1))
        .until(() -> fixture.store().find(SnapshotFilter.newest(9)).size() == stored.size());
    assertEverythingIsThere();
  }

  @Test
  void originalThatNeedsMoreHeapIsReported() throws Exception {
    fixture.close();
    Files.delete(database());
    try (StoreFixture store =
        new StoreFixture(
            folder,
            DataSize.ofMegabytes(64),
            (_, _) -> {
              throw new OutOfMemoryError("test");
            })) {
      store.awaitRebuilt();
      assertThat(store.status().damaged())
          .hasSize(3)
          .allSatisfy(damage -> assertThat(damage.what()).contains("-Xmx"));
    }
    reopenAndAwaitRebuilt();
    assertEverythingIsThere();
  }

  @Test
  void rebuildWithTooLittleHeapForTheAnalysesIsReported() throws Exception {
    fixture.close();
    Files.delete(database());
    fixture =
        new IntakeFixture(
            folder, DataSize.ofMegabytes(64), IntakeFixture.LIMITS, new AnalysisLimit(1 << 10));
    fixture.storeFixture().awaitRebuilt();
    assertThat(status().damaged())
        .hasSize(3)
        .allSatisfy(
            damage ->
                assertThat(damage.what())
                    .contains("the analyses need about", "Start the server with -Xmx"));
    assertThat(fixture.store().find(SnapshotFilter.newest(9))).isEmpty();
    for (StoredSnapshot each : stored) {
      assertThat(originalHash(fixture.store(), each.id())).isEqualTo(each.sha256());
    }
    reopenAndAwaitRebuilt();
    assertEverythingIsThere();
    assertThat(status().damaged()).isEmpty();
  }

  @Test
  void databasesOfOneSecondAreSetAsideUnderDifferentNames() throws Exception {
    fixture.storeFixture().replaceDatabase();
    fixture.storeFixture().replaceDatabase();
    fixture.storeFixture().replaceDatabase();
    assertThat(names(folder)).filteredOn(name -> name.contains("-replaced-")).hasSize(3);
    assertThat(status().setAside()).hasSize(3).isSorted();
  }

  @Test
  void columnsAreRebuiltFromTheOriginal() throws Exception {
    StoredSnapshot first = stored.getFirst();
    fixture
        .storeFixture()
        .execute("update column_blobs set data = x'0102' where snapshot_id = '" + first.id() + "'");
    assertThat(fixture.store().load(first.id())).isPresent();
    assertThat(status().isGood()).isTrue();
    assertEverythingIsThere();
  }

  /** As H2 may leave them when the process is killed: rows of blobs whose data are not there. */
  @Test
  void databaseWhoseBlobsHaveNoDataIsReplaced() throws Exception {
    fixture.close();
    try (MVStore store = MVStore.open(database().toString())) {
      assertThat(store.hasMap("lobMap")).isTrue();
      store.removeMap("lobMap");
    }
    reopen();
    assertThatExceptionOfType(StoreUnavailableException.class)
        .isThrownBy(() -> fixture.store().load(stored.getFirst().id()));
    fixture.storeFixture().awaitReplaced();
    reopenAndAwaitRebuilt();
    assertEverythingIsThere();
    reopen();
    assertThat(status().isGood()).isTrue();
    assertEverythingIsThere();
  }

  @Test
  void columnsOfAnotherSnapshotAreNotShown() throws Exception {
    StoredSnapshot first = stored.getFirst();
    fixture
        .storeFixture()
        .execute(
            "update column_blobs b set data = (select data from column_blobs o where"
                + " o.snapshot_id = '"
                + stored.get(1).id()
                + "' and o.part = b.part and o.device = b.device and o.chunk = b.chunk)"
                + " where snapshot_id = '"
                + first.id()
                + "'");
    assertThat(fixture.store().load(first.id()).orElseThrow().devices().getFirst().trace().size())
        .isEqualTo((int) first.eventCount());
  }

  @Test
  void wrongNumbersInRowsAreNotShown() throws Exception {
    String id = stored.getFirst().id();
    fixture
        .storeFixture()
        .execute("update snapshots set allocated_bytes = 7 where id = '" + id + "'");
    assertThat(fixture.store().find(SnapshotFilter.newest(9)))
        .noneMatch(each -> each.allocatedBytes() == 7);
    fixture.storeFixture().execute("update labels set label = 'y' where label = 'x'");
    reopenAndAwaitRebuilt();
    assertEverythingIsThere();
  }

  /**
   * The files of a killed process are those of the moment: H2 writes a commit up to 0.5 s later.
   */
  @Test
  void updateIsKeptWhenTheProcessIsKilled(@TempDir Path killed) throws Exception {
    StoredSnapshot second = stored.get(1);
    stored.set(1, fixture.store().update(second.id(), "new name", TAGS).orElseThrow());
    FileSystemUtils.copyRecursively(folder, killed);
    try (IntakeFixture again = new IntakeFixture(killed)) {
      assertThat(again.store().get(second.id())).contains(stored.get(1));
    }
  }

  /** Overwrites the hashes in the pages of the table of snapshots and its index. */
  private void damageRowPages() throws IOException {
    Path file = database();
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    byte[] damage = new byte[64];
    Arrays.fill(damage, (byte) 0xFF);
    for (StoredSnapshot each : stored) {
      for (int at = text.indexOf(each.sha256());
          at >= 0;
          at = text.indexOf(each.sha256(), at + 1)) {
        System.arraycopy(damage, 0, bytes, at, damage.length);
      }
    }
    Files.write(file, bytes);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }
}
