package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.intake.IntakeFixture;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.TestUploads;
import dev.vramscope.store.UnlistableFolder;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** The commands backup, restore and rebuild, on the data folder of a running service. */
class BackupCommandsIT extends OnBackup {
  /** Every read of its first bytes fails with an input/output error, as on a bad sector. */
  private static final Path UNREADABLE = Path.of("/proc/self/mem");

  @Test
  void backupOfRunningServiceIsIncrementalAndCanBeRestored() throws Exception {
    assertThat(backUp()).hasValue(0);
    assertThat(output()).startsWith("Copied: 3, unchanged: 0, deleted: 0, damaged: 0");
    StoredSnapshot first = stored.getFirst();
    Tags tags = new Tags("job", null, null, null, List.of());
    stored.set(0, fixture.store().update(first.id(), "renamed", tags).orElseThrow());
    assertThat(backUp()).hasValue(0);
    assertThat(output()).startsWith("Copied: 1, unchanged: 2, deleted: 0, damaged: 0");

    Path restored = folder.resolve("restored");
    assertThat(run("restore", "--data-dir", restored.toString(), backup.toString())).hasValue(0);
    try (IntakeFixture again = new IntakeFixture(restored)) {
      again.storeFixture().awaitRebuilt();
      assertThat(again.store().find(SnapshotFilter.newest(9)))
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("storedBytes")
          .containsExactlyInAnyOrderElementsOf(stored);
      for (StoredSnapshot each : stored) {
        Snapshot snapshot = again.store().load(each.id()).orElseThrow();
        assertThat(snapshot.devices()).hasSize(each.deviceCount());
        try (OriginalFile original = again.store().original(each.id()).orElseThrow()) {
          assertThat(TestUploads.sha256(original.stream().readAllBytes())).isEqualTo(each.sha256());
        }
      }
    }
    assertThat(run("restore", "--data-dir", restored.toString(), backup.toString())).hasValue(1);
    assertThat(output()).contains("A service has used the folder");
  }

  @Test
  void deletedSnapshotsStayInTheBackupUnlessItIsPruned() throws Exception {
    assertThat(backUp()).hasValue(0);
    assertThat(fixture.store().delete(stored.getFirst().id())).isTrue();
    assertThat(backUp()).hasValue(0);
    assertThat(originals(backup)).hasSize(3);
    assertThat(backUp("--prune")).hasValue(0);
    assertThat(output()).startsWith("Copied: 0, unchanged: 2, deleted: 1, damaged: 0");
    assertThat(originals(backup)).hasSize(2);
  }

  @Test
  void damagedFileIsReportedAndTheCopyInTheBackupIsKept() throws Exception {
    assertThat(backUp()).hasValue(0);
    Path original = originals(data).getFirst();
    byte[] good = Files.readAllBytes(original);
    byte[] bad = good.clone();
    bad[bad.length / 2] ^= 1;
    Files.write(original, bad);
    Path copy = backup.resolve(data.relativize(original));
    assertThat(backUp()).hasValue(0);
    assertThat(Files.readAllBytes(copy)).isEqualTo(good);
    assertThat(run("backup", "--data-dir", data.toString(), folder.resolve("second").toString()))
        .hasValue(1);
    assertThat(output()).contains("damaged: 1").contains("its checksum does not match");

    Files.write(copy, bad);
    Path restored = folder.resolve("restored");
    assertThat(run("restore", "--data-dir", restored.toString(), backup.toString())).hasValue(1);
    assertThat(originals(restored)).hasSize(2);
  }

  @Test
  void missingSidecarIsReportedAndRepairedByADownload() throws Exception {
    Path original = originals(data).getFirst();
    Files.delete(original.resolveSibling(name(original).replace(".zst", ".json")));
    assertThat(backUp()).hasValue(1);
    assertThat(output()).contains("damaged: 1").contains("its description is missing");
    String id = name(original).substring(0, 16);
    fixture.store().original(id).orElseThrow().close();
    assertThat(backUp()).hasValue(0);
    assertThat(originals(backup)).hasSize(3);
  }

  @Test
  void unreadableFileIsReportedAndTheOthersAreCopied() throws Exception {
    assumeThat(UNREADABLE).exists();
    for (Path original : originals(data)) {
      String sha256 = name(original).replace(".zst", "");
      for (String ending : List.of(".json", ".zst")) {
        Path file = original.resolveSibling(sha256 + ending);
        byte[] good = Files.readAllBytes(file);
        Files.delete(file);
        Files.createSymbolicLink(file, UNREADABLE);
        Path target = folder.resolve("backup-" + sha256 + ending + "-unreadable");
        assertThat(run("backup", "--data-dir", data.toString(), target.toString())).hasValue(1);
        assertThat(output())
            .startsWith("Copied: 2, unchanged: 0, deleted: 0, damaged: 1")
            .contains("Damaged, not copied: " + sha256)
            .contains(" cannot be read: ");
        assertThat(originals(target)).hasSize(2);
        Path restored = folder.resolve("restored-" + sha256 + ending + "-unreadable");
        assertThat(run("restore", "--data-dir", restored.toString(), data.toString())).hasValue(1);
        assertThat(output()).startsWith("Copied: 2, unchanged: 0, deleted: 0, damaged: 1");
        assertThat(originals(restored)).hasSize(2);
        Files.delete(file);
        Files.write(file, good);
      }
    }
  }

  @Test
  void folderThatCannotBeListedIsReportedAndTheOthersAreCopied() throws Exception {
    assumeThat(UnlistableFolder.isPossible()).isTrue();
    assertThat(backUp()).hasValue(0);
    Path shard = originals(data).getFirst().resolveSibling("");
    try (var _ = new UnlistableFolder(shard)) {
      for (int run = 0; run < 2; run++) { // Also when a backup has the snapshots of this folder.
        Path target = run == 0 ? folder.resolve("second") : backup;
        assertThat(run("backup", "--prune", "--data-dir", data.toString(), target.toString()))
            .hasValue(1);
        assertThat(output())
            .startsWith(
                (run == 0 ? "Copied: 2, unchanged: 0" : "Copied: 0, unchanged: 2")
                    + ", deleted: 0, damaged: 1")
            .contains("Damaged, not copied: originals/" + name(shard) + " cannot be listed: ");
        assertThat(originals(target)).hasSize(2 + run);
      }
      Path restored = folder.resolve("restored");
      assertThat(run("restore", "--data-dir", restored.toString(), data.toString())).hasValue(1);
      assertThat(output()).startsWith("Copied: 2, unchanged: 0, deleted: 0, damaged: 1");
    }
  }

  @Test
  void verifyReplacesUnreadableFilesOfTheBackup() throws Exception {
    assumeThat(UNREADABLE).exists();
    assertThat(backUp()).hasValue(0);
    Path copy = originals(backup).getFirst();
    for (String ending : List.of(".json", ".zst")) {
      Path file = copy.resolveSibling(name(copy).replace(".zst", ending));
      byte[] good = Files.readAllBytes(file);
      Files.delete(file);
      Files.createSymbolicLink(file, UNREADABLE);
      assertThat(backUp("--verify")).hasValue(0);
      assertThat(output()).startsWith("Copied: 1, unchanged: 2, deleted: 0, damaged: 0");
      assertThat(file).isRegularFile().hasBinaryContent(good);
    }
  }

  @Test
  void writeErrorOfTheTargetEndsTheBackup() throws Exception {
    String shard = name(originals(data).getFirst()).substring(0, 2);
    Files.createDirectories(backup.resolve("originals"));
    Files.write(backup.resolve("originals").resolve(shard), new byte[0]);
    assertThat(backUp()).hasValue(1);
    assertThat(output())
        .startsWith("backup: ")
        .contains(backup.toString())
        .doesNotContain("Copied");
  }

  @Test
  void verifyReplacesDamagedFilesOfTheBackup() throws Exception {
    assertThat(backUp()).hasValue(0);
    Path copy = originals(backup).getFirst();
    byte[] good = Files.readAllBytes(copy);
    byte[] bad = good.clone();
    bad[bad.length / 2] ^= 1;
    Files.write(copy, bad);
    assertThat(backUp("--verify")).hasValue(0);
    assertThat(output()).startsWith("Copied: 1, unchanged: 2, deleted: 0, damaged: 0");
    assertThat(Files.readAllBytes(copy)).isEqualTo(good);
  }

  @Test
  void backupAndRestoreUseTheirTargetAlone() throws Exception {
    assertThat(backUp()).hasValue(0);
    Path empty = Files.createDirectory(folder.resolve("empty"));
    for (Path target : List.of(backup, empty)) {
      try (FileChannel channel =
              FileChannel.open(
                  target.resolve("vramscope.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        OptionalInt status =
            target.equals(backup)
                ? backUp()
                : run("restore", "--data-dir", empty.toString(), backup.toString());
        assertThat(status).hasValue(1);
        assertThat(output()).contains("Another vramscope process uses");
      }
    }
  }

  @Test
  void snapshotsThatAreOnlyInTheDatabaseOfAnOlderReleaseAreReported() throws Exception {
    Path original = originals(data).getFirst();
    fixture
        .storeFixture()
        .execute(
            "insert into originals values ('"
                + name(original).substring(0, 16)
                + "', file_read('"
                + original
                + "'))");
    fixture.close();
    Files.delete(original);
    Files.delete(original.resolveSibling(name(original).replace(".zst", ".json")));

    // A full disk keeps the service from moving it.
    fixture = new IntakeFixture(data, DataSize.ofTerabytes(1000), IntakeFixture.LIMITS);
    assertThat(backUp()).hasValue(1);
    assertThat(output())
        .startsWith("Copied: 2, unchanged: 0, deleted: 0, damaged: 0")
        .contains("Not in the backup: 1 snapshot of an older release, still in the database.")
        .contains("Start the service on this data folder");
    fixture.close();
    assertThat(backUp()).hasValue(1);
    assertThat(output()).contains("Not in the backup: 1 snapshot");

    fixture = new IntakeFixture(data);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> fixture.storeFixture().rows("originals") == 0 && originals(data).size() == 3);
    fixture.close(); // The move is complete.
    assertThat(backUp()).hasValue(0);
    assertThat(output()).startsWith("Copied: 1, unchanged: 2").doesNotContain("Not in the backup");
    fixture = new IntakeFixture(data);
  }

  @Test
  void dataFolderThatThisReleaseHasNotOpenedYetIsReported() throws Exception {
    Path old = Files.createDirectory(folder.resolve("old"));
    Files.write(old.resolve("vramscope.mv.db"), new byte[9]);
    assertThat(run("backup", "--data-dir", old.toString(), backup.toString())).hasValue(1);
    assertThat(output()).contains("older release").contains("Start the service on it once");
  }

  @Test
  void rebuildMakesTheDatabaseAgainWhenNoServiceRuns() throws Exception {
    assertThat(run("rebuild", "--data-dir", data.toString())).hasValue(1);
    assertThat(output()).contains("Another vramscope process uses the data folder");
    fixture.close();
    assertThat(run("rebuild", "--data-dir", data.toString())).hasValue(0);
    assertThat(output())
        .contains("Snapshots in the new database: 3")
        .contains("The old database is vramscope-replaced-");
    assertReopensWithAllSnapshots();
  }

  private void assertReopensWithAllSnapshots() throws Exception {
    fixture = new IntakeFixture(data);
    assertThat(fixture.storeFixture().status().isGood()).isTrue();
    assertThat(fixture.store().find(SnapshotFilter.newest(9)))
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("storedBytes")
        .containsExactlyInAnyOrderElementsOf(stored);
  }

  @Test
  void rebuildOfDamagedDatabaseReplacesItOnce() throws Exception {
    fixture.storeFixture().execute("update snapshots set allocated_bytes = 7");
    fixture.close();
    assertThat(run("rebuild", "--data-dir", data.toString())).hasValue(0);
    assertThat(output()).startsWith("Snapshots in the new database: 3\nThe old database is ");
    try (Stream<Path> files = Files.list(data)) {
      assertThat(files).filteredOn(file -> name(file).contains("-replaced-")).hasSize(1);
    }
    assertReopensWithAllSnapshots();
  }

  @Test
  void rebuildOfDatabaseThatCannotBeReadReplacesIt() throws Exception {
    fixture.close();
    Path database = data.resolve("vramscope.mv.db");
    byte[] bytes = Files.readAllBytes(database);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    for (StoredSnapshot each : stored) {
      for (int at = text.indexOf(each.sha256());
          at >= 0;
          at = text.indexOf(each.sha256(), at + 1)) {
        Arrays.fill(bytes, at, at + 64, (byte) 0xFF);
      }
    }
    Files.write(database, bytes);
    assertThat(run("rebuild", "--data-dir", data.toString())).hasValue(0);
    assertThat(output()).startsWith("Snapshots in the new database: 3\nThe old database is ");
    fixture = new IntakeFixture(data);
    assertThat(fixture.storeFixture().status().isGood()).isTrue();
  }

  @Test
  void rebuildReportsOriginalsThatAreOnlyInTheOldDatabase() throws Exception {
    fixture.close();
    Files.writeString(data.resolve("originals-in-database"), "2");
    Files.write(data.resolve("vramscope.mv.db"), new byte[9999]);
    for (int run = 0; run < 2; run++) {
      assertThat(run("rebuild", "--data-dir", data.toString())).hasValue(1);
      assertThat(output())
          .contains("Snapshots in the new database: 3")
          .contains("at least 2 snapshots of an older release are only in vramscope-replaced-")
          .contains("Do not delete that file");
    }
    assertThat(backUp()).hasValue(1);
    assertThat(output())
        .startsWith("Copied: 3")
        .contains("Not in the backup: The originals of at least 2 snapshots");
    fixture = new IntakeFixture(data);
  }

  @Test
  void rebuildOfFolderWithoutStoredDataIsRefused() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    for (Path wrong : List.of(folder.resolve("missing"), empty)) {
      assertThat(run("rebuild", "--data-dir", wrong.toString())).hasValue(1);
      assertThat(output())
          .isEqualTo(
              "rebuild: The folder "
                  + wrong
                  + " is not a data folder: it has neither a subfolder 'originals' nor a"
                  + " database.\n");
    }
    assertThat(folder.resolve("missing")).doesNotExist();
    assertThat(empty).isEmptyDirectory();
  }

  @Test
  void rebuildWithoutDatabaseNamesNoOldOne() throws Exception {
    fixture.close();
    Files.delete(data.resolve("vramscope.mv.db"));
    assertThat(run("rebuild", "--data-dir", data.toString())).hasValue(0);
    assertThat(output()).isEqualTo("Snapshots in the new database: 3\n");
    fixture = new IntakeFixture(data);
    assertThat(fixture.store().count(SnapshotFilter.newest(1))).isEqualTo(3);
  }
}
