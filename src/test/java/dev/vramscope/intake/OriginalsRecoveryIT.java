package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.vramscope.store.DamagedSnapshotException;
import dev.vramscope.store.UnlistableFolder;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Damaged original files and sidecars, and deletions that an older database does not have. */
class OriginalsRecoveryIT extends OnDataFolder {
  @Test
  void damagedOriginalIsNotDownloadedButItsPagesWork() throws Exception {
    StoredSnapshot first = stored.getFirst();
    Path original = file(first, ".zst");
    overwrite(original, Files.size(original) / 2, new byte[] {(byte) 0xA5, 0x5A});
    assertThatThrownBy(() -> fixture.store().original(first.id()))
        .isInstanceOf(DamagedSnapshotException.class)
        .hasMessageContaining("The pages of a snapshot work without it");
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
        .hasMessageContaining("The pages of a snapshot work without it");
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

  @Test
  void folderThatCannotBeListedKeepsNoOtherSnapshotFromBeingRebuilt() throws Exception {
    assumeThat(UnlistableFolder.isPossible()).isTrue();
    StoredSnapshot first = stored.getFirst();
    try (var _ = new UnlistableFolder(file(first, "").resolveSibling(""))) {
      reopen();
      assertThat(fixture.store().find(SnapshotFilter.newest(9))).hasSize(3);
      assertThat(fixture.store().load(first.id())).isPresent();
      assertThat(status().damaged()).extracting("id").containsExactly(first.id());
      reopenWithoutDatabase();
      assertThat(fixture.store().find(SnapshotFilter.newest(9)))
          .hasSize(2)
          .noneMatch(each -> each.id().equals(first.id()));
      fixture.close();
    }
    reopenAndAwaitRebuilt();
    assertThat(status().isGood()).isTrue();
    assertEverythingIsThere();
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
  void lostNamesAreReportedUntilTheSnapshotsAreNamed() throws Exception {
    Files.delete(file(stored.getFirst(), ".json"));
    overwrite(file(stored.get(1), ".json"), 40, new byte[] {'#'});
    reopenWithoutDatabase();
    List<String> lost = stored.subList(0, 2).stream().map(StoredSnapshot::id).sorted().toList();
    assertThat(status().isGood()).isFalse();
    assertThat(status().recovered()).isEqualTo(lost);
    reopen();
    assertThat(status().isGood()).isFalse();
    assertThat(status().recoveredCount()).isEqualTo(2);
    fixture.store().update(lost.getFirst(), "named again", TAGS);
    assertThat(status().recovered()).containsExactly(lost.getLast());
    fixture.store().delete(lost.getLast());
    assertThat(status().isGood()).isTrue();
    reopen();
    assertThat(status().isGood()).isTrue();
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

  private void damageOriginalAndSidecar(StoredSnapshot snapshot) throws IOException {
    Path original = file(snapshot, ".zst");
    overwrite(original, Files.size(original) / 2, new byte[] {(byte) 0xA5, 0x5A});
    overwrite(file(snapshot, ".json"), 40, new byte[] {'#'});
  }

  /** Replaces a file by a link to itself, which no process can read; returns its content. */
  private static byte[] makeUnreadable(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    Files.delete(file);
    Files.createSymbolicLink(file, file);
    return content;
  }

  private static FileTime daysAgo(int days) {
    return FileTime.from(Instant.now().minus(Duration.ofDays(days)));
  }
}
