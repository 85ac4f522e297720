package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vramscope.store.DamagedSnapshotException;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.unit.DataSize;

/** Originals that an older release has stored in the database. */
class FirstReleaseIT extends OnDataFolder {
  @Test
  void dataFolderOfFirstReleaseIsMigrated() throws Exception {
    makeFirstRelease();
    reopen();
    for (StoredSnapshot each : stored) { // Also while originals are being moved.
      assertThat(originalHash(fixture.store(), each.id())).isEqualTo(each.sha256());
    }
    awaitMoved(0);
    assertEverythingIsThere();
    assertRebuiltWithoutDatabase();
  }

  @Test
  void damagedOriginalOfFirstReleaseStaysInTheDatabase() throws Exception {
    String id = stored.getFirst().id();
    makeFirstRelease("update originals set data = x'28B52FFD00' where snapshot_id = '" + id + "'");
    reopen();
    awaitMoved(1);
    assertThatThrownBy(() -> fixture.store().original(id))
        .isInstanceOf(DamagedSnapshotException.class);
    assertThat(fixture.store().load(id)).isPresent();
    assertThat(originalHash(fixture.store(), stored.get(1).id())).isEqualTo(stored.get(1).sha256());
  }

  @Test
  void originalOfFirstReleaseCanBeDownloadedFromFullDisk() throws Exception {
    makeUnmovedOriginals();
    fixture.close();
    deleteOriginalFiles();
    fixture = new IntakeFixture(folder, DataSize.ofTerabytes(1000), IntakeFixture.LIMITS);
    assertThat(status().readable()).isTrue();
    assertThat(status().writable()).isFalse();
    for (StoredSnapshot each : stored) {
      assertThat(originalHash(fixture.store(), each.id())).isEqualTo(each.sha256());
    }
    String first = stored.getFirst().id();
    List<OriginalFile> slow = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      slow.add(fixture.store().original(first).orElseThrow());
    }
    assertThatThrownBy(() -> fixture.store().original(first))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("being downloaded");
    assertThat(fixture.store().find(SnapshotFilter.newest(10))).hasSize(3);
    slow.getFirst().close();
    slow.getFirst().close();
    slow.set(0, fixture.store().original(first).orElseThrow());
    assertThatThrownBy(() -> fixture.store().original(first))
        .isInstanceOf(StoreUnavailableException.class);
    for (OriginalFile each : slow) {
      each.close();
    }
  }

  @Test
  void originalsAreSavedFromDatabaseWithoutRowsBeforeItIsReplaced() throws Exception {
    keepOriginalsInDatabaseOnly();
    execute("set referential_integrity false");
    execute("delete from snapshots");
    fixture.storeFixture().replaceDatabase();
    for (StoredSnapshot each : stored) {
      assertThat(originalHash(fixture.store(), each.id())).isEqualTo(each.sha256());
    }
    reopenAndAwaitRebuilt();
    for (StoredSnapshot each : stored) {
      assertThat(fixture.store().load(each.id())).isPresent();
    }
  }

  @Test
  void originalThatCannotBeSavedFromReplacedDatabaseIsReported() throws Exception {
    keepOriginalsInDatabaseOnly();
    execute(
        "update originals set data = x'28B52FFD00' where snapshot_id = '"
            + stored.getFirst().id()
            + "'");
    fixture.storeFixture().replaceDatabase();
    reopenAndAwaitRebuilt();
    assertThat(status().unsaved()).extracting("count").containsExactly(1);
  }

  @Test
  void originalIsSavedFromDamagedDatabaseAfterItsUpload() throws Exception {
    keepOriginalsInDatabaseOnly();
    StoredSnapshot first = stored.getFirst();
    Thread uploading;
    Thread saving;
    try (Connection blocking = fixture.storeFixture().connection();
        Statement statement = blocking.createStatement()) {
      blocking.setAutoCommit(false);
      statement.execute("delete from snapshots where id = '" + first.id() + "'");
      uploading =
          Thread.ofVirtual()
              .start(() -> assertThatCode(() -> upload(0)).doesNotThrowAnyException());
      await("it has the lock of the snapshot, and waits for the row")
          .until(() -> blockedSessions() == 1);
      saving = Thread.ofVirtual().start(() -> fixture.storeFixture().saveOriginal(first.id()));
      // A save that does not wait would end within this time; that it never ends cannot be seen.
      assertThat(saving.join(Duration.ofMillis(500))).isFalse();
      assertThat(file(first, ".zst")).doesNotExist();
      blocking.rollback();
      blocking.setAutoCommit(true);
    }
    uploading.join();
    saving.join();
    assertThat(fixture.store().get(first.id()).orElseThrow().name()).isEqualTo(first.name());
    assertThat(Files.readString(file(first, ".json"))).doesNotContain("recovered");
  }

  @Test
  void stopDuringReplacementKeepsTheDatabase() throws Exception {
    keepOriginalsInDatabaseOnly();
    Thread replacing;
    try (Connection blocking = fixture.storeFixture().connection();
        Statement statement = blocking.createStatement()) {
      blocking.setAutoCommit(false);
      statement.execute("delete from originals");
      replacing = Thread.ofVirtual().start(() -> fixture.storeFixture().replaceDatabase());
      await("the first one is stored; it waits to be removed from the database")
          .until(() -> stored.stream().anyMatch(each -> Files.exists(file(each, ".json"))));
      fixture.storeFixture().stopMaintenance();
      blocking.rollback();
      blocking.setAutoCommit(true);
    }
    replacing.join();
    assertThat(rows("originals")).isEqualTo(2);
    assertThat(status().setAside()).isEmpty();
    reopen();
    awaitMoved(0);
    assertEverythingIsThere();
  }

  @Test
  void originalsThatAreOnlyInSetAsideDatabaseAreReportedUntilItIsDeleted() throws Exception {
    makeFirstRelease();
    Files.writeString(folder.resolve("originals-in-database"), "3");
    DatabaseDamage.ZEROED_HEADER.damage(database());
    reopenAndAwaitRebuilt();
    reopenAndAwaitRebuilt();
    assertThat(status().isGood()).isFalse();
    assertThat(status().unsaved()).hasSize(1);
    assertThat(status().unsaved().getFirst().count()).isEqualTo(3);
    String name = status().unsaved().getFirst().file();
    assertThat(name).startsWith("vramscope-replaced-20");
    Files.delete(folder.resolve(name));
    reopen();
    assertThat(status().isGood()).isTrue();
  }

  @Test
  void firstStartWithDamagedDatabaseOfFirstReleaseReportsIt() throws Exception {
    makeFirstRelease();
    FileSystemUtils.deleteRecursively(folder.resolve("originals"));
    DatabaseDamage.ZEROED_HEADER.damage(database());
    reopenAndAwaitRebuilt();
    assertThat(status().unsaved()).hasSize(1);
    assertThat(status().unsaved().getFirst().what()).contains("at least 1 snapshot");
  }

  private int blockedSessions() {
    return rows("information_schema.sessions where blocker_id is not null");
  }

  /** As if the running service had not moved the originals of an older release yet. */
  private void keepOriginalsInDatabaseOnly() throws Exception {
    execute("update snapshots set results_version = null, checksum = null");
    reopen();
    awaitResults(); // They follow when maintenance has looked for originals to move.
    makeUnmovedOriginals();
    deleteOriginalFiles();
  }

  private void makeUnmovedOriginals() {
    for (StoredSnapshot each : stored) {
      execute(
          "insert into originals values ('"
              + each.id()
              + "', file_read('"
              + file(each, ".zst")
              + "'))");
    }
  }

  private void makeFirstRelease(String... further) throws IOException {
    makeUnmovedOriginals();
    execute("alter table snapshots drop column checksum, peak_bytes, results_version");
    execute("alter table column_blobs drop column checksum");
    execute("update snapshots set finding_count = 99"); // It counted other findings.
    execute("delete from \"flyway_schema_history\" where \"version\" <> '1'");
    for (String sql : further) {
      execute(sql);
    }
    fixture.close();
    deleteOriginalFiles();
  }
}
