package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.intake.IntakeFixture;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A restore that is interrupted or has damaged files, before and after the folder is used. */
class RestoreCommandIT extends OnBackup {
  private static final Tags TAGS = new Tags("job", null, null, null, List.of());

  private Path restored;

  @BeforeEach
  void nameRestored() {
    restored = folder.resolve("restored");
  }

  @Test
  void interruptedRestoreIsContinued() throws Exception {
    assertThat(backUp()).hasValue(0);
    Path one = originals(backup).getFirst();
    Path shard = restored.resolve("originals").resolve(name(one).substring(0, 2));
    Files.createDirectories(shard);
    Files.write(shard.resolve(name(one)), Files.readAllBytes(one)); // Its sidecar is missing.
    Files.write(restored.resolve("restore-unfinished"), new byte[0]);
    Files.write(restored.resolve("copy-1.tmp"), new byte[9]);
    assertThat(restore()).hasValue(0);
    assertThat(output()).contains("damaged: 0");
    assertThat(originals(restored)).hasSize(3);
    assertThat(restored.resolve("copy-1.tmp")).doesNotExist();
    assertThat(restore()).hasValue(1);
    assertThat(output()).contains("is not empty");
  }

  @Test
  void restoreWithDamagedFilesIsContinuedWhenTheBackupIsRepaired() throws Exception {
    assertThat(backUp()).hasValue(0);
    damageFirst(backup);
    assertThat(restore()).hasValue(1);
    assertThat(output())
        .contains("damaged: 1")
        .contains("Repair the backup with 'backup --verify' and run the same command again");
    assertThat(backUp("--verify")).hasValue(0);
    assertThat(restore()).hasValue(0);
    assertThat(output()).startsWith("Copied: 1, unchanged: 2");
    assertThat(originals(restored)).hasSize(3);
    assertThat(restore()).hasValue(1);
    assertThat(output()).contains("is not empty");
  }

  @Test
  void folderThatWasUsedAfterAnIncompleteRestoreIsRefused() throws Exception {
    assertThat(backUp()).hasValue(0);
    damageFirst(backup);
    assertThat(restore()).hasValue(1);
    StoredSnapshot changed;
    try (IntakeFixture used = new IntakeFixture(restored)) {
      used.storeFixture().awaitRebuilt();
      List<StoredSnapshot> present = used.store().find(SnapshotFilter.newest(9));
      assertThat(present).hasSize(2);
      changed = used.store().update(present.getFirst().id(), "renamed", TAGS).orElseThrow();
      assertThat(used.store().delete(present.getLast().id())).isTrue();
    }
    assertThat(backUp("--verify")).hasValue(0);
    assertThat(restore()).hasValue(1);
    assertThat(output())
        .isEqualTo(
            "restore: A service has used the folder "
                + restored
                + ": its snapshots may have been changed or deleted since. Restore into an empty or"
                + " new folder. Uploading a file again repairs or adds a single snapshot.\n");
    assertThat(restored.resolve("restore-unfinished")).doesNotExist();
    try (IntakeFixture used = new IntakeFixture(restored)) {
      used.storeFixture().awaitRebuilt();
      assertThat(used.store().find(SnapshotFilter.newest(9))).containsExactly(changed);
    }
  }

  @Test
  void everyTraceOfAServiceIsRefusedAlsoBesideTheMarkOfARestore() throws Exception {
    assertThat(backUp()).hasValue(0);
    String sha256 = stored.getFirst().sha256();
    for (String trace :
        List.of(
            "spool/part",
            "vramscope.mv.db",
            "originals/" + sha256.substring(0, 2) + "/" + sha256 + ".gone")) {
      Path file = restored.resolve(trace);
      Files.createDirectories(file.getParent());
      Files.write(file, new byte[0]);
      Files.write(restored.resolve("restore-unfinished"), new byte[0]);
      assertThat(restore()).as(trace).hasValue(1);
      assertThat(output()).contains("A service has used the folder " + restored);
      assertThat(originals(restored)).isEmpty();
      Files.delete(file);
      Files.deleteIfExists(restored.resolve("spool"));
    }
    assertThat(restore()).hasValue(0);
  }

  @Test
  void continuedRestoreKeepsIntactNamesAndTags() throws Exception {
    assertThat(backUp()).hasValue(0);
    Path damaged = damageFirst(backup);
    assertThat(restore()).hasValue(1);
    StoredSnapshot other =
        stored.stream()
            .filter(each -> !name(damaged).startsWith(each.sha256()))
            .findFirst()
            .orElseThrow();
    assertThat(fixture.store().update(other.id(), "renamed", TAGS)).isPresent();
    assertThat(backUp("--verify")).hasValue(0);
    assertThat(restore()).hasValue(0);
    assertThat(output())
        .isEqualTo(
            """
            Copied: 1, unchanged: 2, deleted: 0, damaged: 0
            Name and tags kept, other than in the backup: %s
            """
                .formatted(other.sha256()));
    try (IntakeFixture used = new IntakeFixture(restored)) {
      used.storeFixture().awaitRebuilt();
      assertThat(used.store().get(other.id()).orElseThrow().name()).isEqualTo(other.name());
    }
  }

  private OptionalInt restore() {
    return run("restore", "--data-dir", restored.toString(), backup.toString());
  }

  private static Path damageFirst(Path folder) throws IOException {
    Path file = originals(folder).getFirst();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    return file;
  }
}
