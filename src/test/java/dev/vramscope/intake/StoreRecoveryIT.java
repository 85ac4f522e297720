package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.store.DamagedSnapshotException;
import dev.vramscope.store.OriginalFile;
import dev.vramscope.store.SnapshotFilter;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.StoreFixture;
import dev.vramscope.store.StoreStatus;
import dev.vramscope.store.StoreUnavailableException;
import dev.vramscope.store.StoredSnapshot;
import dev.vramscope.store.Tags;
import dev.vramscope.store.TestUploads;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.unit.DataSize;

/** Damage of each part of the data folder, and what is left of it after a restart. */
class StoreRecoveryIT {
  private static final Tags TAGS = new Tags("llama", "3", "node1", 1200L, List.of("nightly", "x"));

  @TempDir Path folder;
  private IntakeFixture fixture;
  private final List<StoredSnapshot> stored = new ArrayList<>();

  @BeforeEach
  void storeThree() throws Exception {
    fixture = new IntakeFixture(folder);
    for (int seed = 0; seed < 3; seed++) {
      stored.add(upload(seed));
    }
    StoredSnapshot first = stored.getFirst();
    stored.set(0, fixture.store().update(first.id(), "renamed é\n", TAGS).orElseThrow());
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
  }

  enum DatabaseDamage {
    GARBAGE {
      @Override
      void damage(Path file) throws IOException {
        Files.writeString(file, "this is not a database".repeat(1000));
      }
    },
    EMPTY {
      @Override
      void damage(Path file) throws IOException {
        Files.write(file, new byte[0]);
      }
    },
    ZEROED_HEADER {
      @Override
      void damage(Path file) throws IOException {
        overwrite(file, 0, new byte[8192]);
      }
    },
    CUT {
      @Override
      void damage(Path file) throws IOException {
        try (RandomAccessFile database = new RandomAccessFile(file.toFile(), "rw")) {
          database.setLength(database.length() / 3);
        }
      }
    },
    ZEROED_BUT_THE_HEADER {
      @Override
      void damage(Path file) throws IOException {
        overwrite(file, 8192, new byte[(int) Files.size(file) - 8192]);
      }
    },
    WRONG_VERSION {
      @Override
      void damage(Path file) throws IOException {
        String header = new String(Files.readAllBytes(file), 0, 4096, StandardCharsets.ISO_8859_1);
        overwrite(file, header.indexOf("format:") + 7, new byte[] {'9'});
        overwrite(file, 4096 + header.indexOf("format:") + 7, new byte[] {'9'});
      }
    },
    MISSING {
      @Override
      void damage(Path file) throws IOException {
        Files.delete(file);
      }
    };

    abstract void damage(Path file) throws IOException;

    /** H2 opens the others, with an older state or empty. */
    boolean isRejectedByH2() {
      return this == GARBAGE || this == ZEROED_HEADER || this == WRONG_VERSION;
    }
  }

  @ParameterizedTest
  @EnumSource
  void databaseIsRebuiltWithNamesTagsAndTimes(DatabaseDamage damage) throws Exception {
    fixture.close();
    damage.damage(database());
    reopenAndAwaitRebuilt();
    assertEverythingIsThere();
    if (damage.isRejectedByH2()) {
      assertThat(names(folder)).anyMatch(name -> name.startsWith("vramscope-replaced-20"));
      String setAside = status().setAside();
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
    Thread.sleep(600); // A pool may not test connections that were used just before.
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
    Thread.sleep(600);
    DatabaseDamage.GARBAGE.damage(database());
    long start = System.nanoTime();
    fixture.store().find(SnapshotFilter.newest(9));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    Thread.sleep(1500); // Until maintenance has noticed that the database is a new one.
    fixture.storeFixture().awaitRebuilt();
    assertEverythingIsThere();
  }

  @Test
  void originalsAreSavedFromDatabaseWithoutRowsBeforeItIsReplaced() throws Exception {
    reopen();
    Thread.sleep(500); // Maintenance has looked for originals to move.
    makeUnmovedOriginals();
    for (StoredSnapshot each : stored) {
      Files.delete(file(each, ".zst"));
      Files.delete(file(each, ".json"));
    }
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

  @Test
  void originalThatCannotBeSavedFromReplacedDatabaseIsReported() throws Exception {
    reopen();
    Thread.sleep(500); // Maintenance has looked for originals to move.
    makeUnmovedOriginals();
    for (StoredSnapshot each : stored) {
      Files.delete(file(each, ".zst"));
      Files.delete(file(each, ".json"));
    }
    execute(
        "update originals set data = x'28B52FFD00' where snapshot_id = '"
            + stored.getFirst().id()
            + "'");
    fixture.storeFixture().replaceDatabase();
    reopenAndAwaitRebuilt();
    assertThat(status().unsaved()).extracting("count").containsExactly(1);
  }

  @Test
  void originalOfFirstReleaseCanBeDownloadedFromFullDisk() throws Exception {
    makeUnmovedOriginals();
    fixture.close();
    for (StoredSnapshot each : stored) {
      Files.delete(file(each, ".zst"));
      Files.delete(file(each, ".json"));
    }
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

  @Test
  void damagedOriginalIsNotDownloadedButItsPagesWork() throws Exception {
    StoredSnapshot first = stored.getFirst();
    Path original = file(first, ".zst");
    overwrite(original, Files.size(original) / 2, new byte[] {(byte) 0xA5, 0x5A});
    assertThatThrownBy(() -> fixture.store().original(first.id()))
        .isInstanceOf(DamagedSnapshotException.class)
        .hasMessageContaining("The pages of this snapshot work");
    assertThat(fixture.store().load(first.id())).isPresent();
    assertThat(status().damaged()).extracting("id").containsExactly(first.id());
    // Uploading the file again repairs it; name, tags and time are kept.
    upload(0);
    assertThat(status().isGood()).isTrue();
    assertEverythingIsThere();
  }

  @Test
  void missingOriginalIsReportedAfterRestart() throws Exception {
    StoredSnapshot first = stored.getFirst();
    Files.delete(file(first, ".zst"));
    reopen();
    assertThat(status().damaged()).extracting("id").containsExactly(first.id());
    assertThat(fixture.store().load(first.id())).isPresent();
    assertThatThrownBy(() -> fixture.store().original(first.id()))
        .isInstanceOf(DamagedSnapshotException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void snapshotWithoutOriginalAndRowIsReportedByName() throws Exception {
    Files.delete(file(stored.getFirst(), ".zst"));
    reopenWithoutDatabase();
    assertThat(status().damaged()).extracting("name").containsExactly("renamed é\n");
    assertThatThrownBy(() -> fixture.store().get(stored.getFirst().id()))
        .isInstanceOf(DamagedSnapshotException.class);
    assertThat(fixture.store().count(SnapshotFilter.newest(1))).isEqualTo(2);
  }

  @Test
  void damagedOrMissingSidecarIsRecreatedFromTheRow() throws Exception {
    overwrite(file(stored.getFirst(), ".json"), 40, new byte[] {'#'});
    Files.delete(file(stored.get(1), ".json"));
    reopen();
    assertEverythingIsThere();
    assertRebuiltWithoutDatabase();
  }

  @Test
  void damagedOriginalWithDamagedSidecarIsRepairedByAnUpload() throws Exception {
    StoredSnapshot first = stored.getFirst();
    damageOriginalAndSidecar(first);
    reopen();
    assertThatThrownBy(() -> fixture.store().original(first.id()))
        .isInstanceOf(DamagedSnapshotException.class)
        .hasMessageContaining("The pages of this snapshot work");
    assertThat(fixture.store().load(first.id())).isPresent();
    upload(0);
    assertThat(status().isGood()).isTrue();
    assertEverythingIsThere();
  }

  @Test
  void damagedOriginalAndSidecarWithoutRowAreRepairedByAnUpload() throws Exception {
    StoredSnapshot first = stored.getFirst();
    damageOriginalAndSidecar(first);
    reopenWithoutDatabase();
    assertThat(status().damaged()).extracting("id").containsExactly(first.id());
    StoredSnapshot again = upload(0);
    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.name()).isEqualTo("file 0");
    assertThat(status().isGood()).isTrue();
    assertThat(originalHash(fixture.store(), first.id())).isEqualTo(first.sha256());
  }

  private void damageOriginalAndSidecar(StoredSnapshot snapshot) throws IOException {
    Path original = file(snapshot, ".zst");
    overwrite(original, Files.size(original) / 2, new byte[] {(byte) 0xA5, 0x5A});
    overwrite(file(snapshot, ".json"), 40, new byte[] {'#'});
  }

  @Test
  void sidecarThatCannotBeReadKeepsNoOtherSnapshotFromBeingRebuilt() throws Exception {
    List<Path> sidecars = stored.stream().map(each -> file(each, ".json")).sorted().toList();
    byte[] content = makeUnreadable(sidecars.getFirst());
    String id = String.valueOf(sidecars.getFirst().getFileName()).substring(0, 16);
    reopenWithoutDatabase();
    assertThat(fixture.store().find(SnapshotFilter.newest(9)))
        .hasSize(2)
        .noneMatch(each -> each.id().equals(id));
    assertThat(status().damaged()).extracting("id").containsExactly(id);
    assertThat(status().damaged().getFirst().what()).contains("name and tags cannot be read");
    assertThatThrownBy(() -> fixture.store().original(id))
        .isInstanceOf(DamagedSnapshotException.class);
    // A later start that can read it has lost nothing.
    Files.delete(sidecars.getFirst());
    Files.write(sidecars.getFirst(), content);
    reopenAndAwaitRebuilt();
    assertThat(status().isGood()).isTrue();
    assertEverythingIsThere();
  }

  @Test
  void sidecarThatCannotBeReadIsRecreatedFromTheRow() throws Exception {
    makeUnreadable(file(stored.getFirst(), ".json"));
    reopen();
    assertEverythingIsThere();
    assertThat(status().isGood()).isTrue();
    assertRebuiltWithoutDatabase();
  }

  @Test
  void sidecarThatCannotBeReadIsRepairedByAnUpload() throws Exception {
    makeUnreadable(file(stored.getFirst(), ".json"));
    reopenWithoutDatabase();
    assertThat(upload(0).id()).isEqualTo(stored.getFirst().id());
    assertThat(status().isGood()).isTrue();
    assertThat(originalHash(fixture.store(), stored.getFirst().id()))
        .isEqualTo(stored.getFirst().sha256());
  }

  /** Replaces a file by a link to itself, which no process can read; returns its content. */
  private static byte[] makeUnreadable(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    Files.delete(file);
    Files.createSymbolicLink(file, file);
    return content;
  }

  @Test
  void originalWithoutSidecarAndRowIsKept() throws Exception {
    Files.delete(file(stored.getFirst(), ".json"));
    reopenWithoutDatabase();
    StoredSnapshot first = stored.getFirst();
    assertThat(fixture.store().get(first.id()).orElseThrow().name())
        .isEqualTo("recovered " + first.id());
    assertThat(fixture.store().load(first.id())).isPresent();
    assertThat(originalHash(fixture.store(), first.id())).isEqualTo(first.sha256());
  }

  @Test
  void deletedSnapshotDoesNotReturnWithAnOlderDatabase() throws Exception {
    fixture.close();
    byte[] old = Files.readAllBytes(database());
    reopen();
    assertThat(fixture.store().delete(stored.getFirst().id())).isTrue();
    fixture.close();
    Files.write(database(), old);
    reopen();
    assertThat(fixture.store().get(stored.getFirst().id())).isEmpty();
    assertThat(fixture.store().count(SnapshotFilter.newest(1))).isEqualTo(2);
    upload(0);
    reopen();
    assertThat(fixture.store().count(SnapshotFilter.newest(1))).isEqualTo(3);
  }

  @Test
  void oldSnapshotStaysDeletedWithAnOlderDatabase() throws Exception {
    StoredSnapshot first = stored.getFirst();
    fixture.close();
    byte[] old = Files.readAllBytes(database());
    Files.setLastModifiedTime(file(first, ".json"), daysAgo(30));
    reopen();
    assertThat(fixture.store().delete(first.id())).isTrue();
    fixture.close();
    Files.write(database(), old);
    reopen();
    assertThat(fixture.store().get(first.id())).isEmpty();
    assertThat(status().isGood()).isTrue();
    reopen();
    assertThat(file(first, ".gone")).exists();
  }

  @Test
  void deletionMarkIsKeptUntilTheRowIsRemoved() throws Exception {
    StoredSnapshot first = stored.getFirst();
    fixture.close();
    byte[] old = Files.readAllBytes(database());
    reopen();
    assertThat(fixture.store().delete(first.id())).isTrue();
    fixture.close();
    Files.write(database(), old);
    Files.setLastModifiedTime(file(first, ".gone"), daysAgo(30));
    reopen();
    assertThat(fixture.store().get(first.id())).isEmpty();
    assertThat(fixture.store().count(SnapshotFilter.newest(1))).isEqualTo(2);
    reopen();
    assertThat(file(first, ".gone")).doesNotExist();
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

  @Test
  void dataFolderOfFirstReleaseIsMigrated() throws Exception {
    makeFirstRelease();
    reopen();
    for (StoredSnapshot each : stored) { // Also while originals are being moved.
      assertThat(originalHash(fixture.store(), each.id())).isEqualTo(each.sha256());
    }
    while (rows("originals") > 0) {
      Thread.sleep(10);
    }
    assertEverythingIsThere();
    assertRebuiltWithoutDatabase();
  }

  @Test
  void damagedOriginalOfFirstReleaseStaysInTheDatabase() throws Exception {
    String id = stored.getFirst().id();
    makeFirstRelease("update originals set data = x'28B52FFD00' where snapshot_id = '" + id + "'");
    reopen();
    while (rows("originals") > 1) {
      Thread.sleep(10);
    }
    assertThatThrownBy(() -> fixture.store().original(id))
        .isInstanceOf(DamagedSnapshotException.class);
    assertThat(fixture.store().load(id)).isPresent();
    assertThat(originalHash(fixture.store(), stored.get(1).id())).isEqualTo(stored.get(1).sha256());
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
    execute("alter table snapshots drop column checksum, peak_bytes");
    execute("alter table column_blobs drop column checksum");
    execute("delete from \"flyway_schema_history\" where \"version\" <> '1'");
    for (String sql : further) {
      execute(sql);
    }
    fixture.close();
    for (StoredSnapshot each : stored) {
      Files.delete(file(each, ".zst"));
      Files.delete(file(each, ".json"));
    }
  }

  private void execute(String sql) {
    fixture.storeFixture().execute(sql);
  }

  private int rows(String table) {
    return fixture.storeFixture().rows(table);
  }

  private StoreStatus.Report status() {
    return fixture.storeFixture().status();
  }

  private StoredSnapshot upload(int seed) throws Exception {
    byte[] file = JsonSnapshots.file(seed, 50 + seed, 20_000);
    return fixture
        .intake()
        .accept(
            new ByteArrayInputStream(file),
            new UploadRequest("file " + seed, Tags.NONE, DuplicateTags.KEEP, file.length))
        .snapshot();
  }

  private void reopen() throws IOException {
    fixture.close();
    fixture = new IntakeFixture(folder);
  }

  private void reopenAndAwaitRebuilt() throws Exception {
    reopen();
    fixture.storeFixture().awaitRebuilt();
  }

  private void reopenWithoutDatabase() throws Exception {
    fixture.close();
    Files.delete(database());
    reopenAndAwaitRebuilt();
  }

  private void assertRebuiltWithoutDatabase() throws Exception {
    reopenWithoutDatabase();
    assertEverythingIsThere();
  }

  private void assertEverythingIsThere() throws IOException {
    List<StoredSnapshot> found = fixture.store().find(SnapshotFilter.newest(9));
    assertThat(found)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("storedBytes", "peakBytes")
        .containsExactlyInAnyOrderElementsOf(stored);
    for (StoredSnapshot each : stored) {
      assertThat(fixture.store().load(each.id())).isPresent();
      assertThat(originalHash(fixture.store(), each.id())).isEqualTo(each.sha256());
    }
  }

  private static String originalHash(SnapshotStore store, String id) throws IOException {
    try (OriginalFile original = store.original(id).orElseThrow()) {
      return TestUploads.sha256(original.stream().readAllBytes());
    }
  }

  private Path database() {
    return folder.resolve("vramscope.mv.db");
  }

  private Path file(StoredSnapshot snapshot, String ending) {
    return folder
        .resolve("originals")
        .resolve(snapshot.sha256().substring(0, 2))
        .resolve(snapshot.sha256() + ending);
  }

  private static FileTime daysAgo(int days) {
    return FileTime.from(Instant.now().minus(Duration.ofDays(days)));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  private static void overwrite(Path file, long position, byte[] bytes) throws IOException {
    try (RandomAccessFile target = new RandomAccessFile(file.toFile(), "rw")) {
      target.seek(position);
      target.write(bytes);
    }
  }
}
