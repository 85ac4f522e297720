package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.StoreStatus;
import dev.vramscope.store.TestUploads;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A data folder with three snapshots, which is closed, damaged, and opened again. */
abstract class OnDataFolder {
  static final Tags TAGS = new Tags("llama", "3", "node1", 1200L, List.of("nightly", "x"));

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  IntakeFixture fixture;

  final List<StoredSnapshot> stored = new ArrayList<>();

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

  void execute(String sql) {
    fixture.storeFixture().execute(sql);
  }

  int rows(String table) {
    return fixture.storeFixture().rows(table);
  }

  StoreStatus.Report status() {
    return fixture.storeFixture().status();
  }

  StoredSnapshot upload(int seed) throws Exception {
    return fixture.upload("file " + seed, JsonSnapshots.file(seed, 50 + seed, 20_000));
  }

  void reopen() throws IOException {
    fixture.close();
    fixture = new IntakeFixture(folder);
  }

  void reopenAndAwaitRebuilt() throws Exception {
    reopen();
    fixture.storeFixture().awaitRebuilt();
  }

  void reopenWithoutDatabase() throws Exception {
    fixture.close();
    Files.delete(database());
    reopenAndAwaitRebuilt();
  }

  void assertRebuiltWithoutDatabase() throws Exception {
    reopenWithoutDatabase();
    assertEverythingIsThere();
  }

  void assertEverythingIsThere() throws Exception {
    awaitResults();
    List<StoredSnapshot> found = fixture.store().find(SnapshotFilter.newest(9));
    assertThat(found)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("storedBytes")
        .containsExactlyInAnyOrderElementsOf(stored);
    for (StoredSnapshot each : stored) {
      assertThat(fixture.store().load(each.id())).isPresent();
      assertThat(originalHash(fixture.store(), each.id())).isEqualTo(each.sha256());
    }
  }

  /** Waits until the results of older releases are computed again. */
  void awaitResults() {
    await("results")
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                fixture.store().find(SnapshotFilter.newest(9)).stream()
                    .allMatch(each -> each.totals().findingCount() != null));
  }

  /** Waits until no original is left in the database but this many. */
  void awaitMoved(int left) {
    await().atMost(Duration.ofMinutes(1)).until(() -> rows("originals") == left);
  }

  static String originalHash(SnapshotStore store, String id) throws IOException {
    try (OriginalFile original = store.original(id).orElseThrow()) {
      return TestUploads.sha256(original.stream().readAllBytes());
    }
  }

  Path database() {
    return folder.resolve("vramscope.mv.db");
  }

  Path file(StoredSnapshot snapshot, String ending) {
    return folder
        .resolve("originals")
        .resolve(snapshot.sha256().substring(0, 2))
        .resolve(snapshot.sha256() + ending);
  }

  /** Deletes all original files with their sidecars. */
  void deleteOriginalFiles() throws IOException {
    for (StoredSnapshot each : stored) {
      Files.delete(file(each, ".zst"));
      Files.delete(file(each, ".json"));
    }
  }

  static void overwrite(Path file, long position, byte[] bytes) throws IOException {
    try (RandomAccessFile target = new RandomAccessFile(file.toFile(), "rw")) {
      target.seek(position);
      target.write(bytes);
    }
  }
}
