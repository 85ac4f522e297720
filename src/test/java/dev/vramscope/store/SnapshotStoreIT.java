package dev.vramscope.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.model.Snapshot;
import dev.vramscope.store.files.DataFolderException;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.JobTotals;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.SnapshotOrder;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;
import org.springframework.util.unit.DataSize;

class SnapshotStoreIT {
  @TempDir Path folder;
  private StoreFixture fixture;
  private SnapshotStore store;

  @BeforeEach
  void open() {
    fixture = new StoreFixture(folder);
    store = fixture.store();
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
  }

  @Test
  void loadsSavedSnapshots() throws Exception {
    for (long seed = 1; seed <= 20; seed++) {
      Snapshot snapshot = new RandomSnapshots(seed).next(2000);
      byte[] file = new TestUploads(fixture.spool()).bytes(seed, 200_000);
      StoredSnapshot stored = save(snapshot, file, Tags.NONE).snapshot();
      assertEquals(Optional.of(stored), store.get(stored.id()));
      assertEquals(stored.sha256().substring(0, 16), stored.id());
      assertEquals(file.length, stored.originalBytes());
      SnapshotAssert.assertSame(snapshot, store.load(stored.id()).orElseThrow(), "seed " + seed);
      assertArrayEquals(file, original(stored.id()));
    }
    assertEquals(20, store.count(SnapshotFilter.newest(5)));
  }

  @Test
  void snapshotsSurviveRestart() throws Exception {
    Snapshot snapshot = new RandomSnapshots(3).next(500);
    StoredSnapshot stored = save(snapshot, new byte[] {1, 2, 3}, tags("llama", "0")).snapshot();
    fixture.close();
    open();
    assertEquals(Optional.of(stored), store.get(stored.id()));
    SnapshotAssert.assertSame(snapshot, store.load(stored.id()).orElseThrow(), "reopened");
    assertArrayEquals(new byte[] {1, 2, 3}, original(stored.id()));
  }

  @Test
  void sameFileIsStoredOnceWithItsFirstTags() throws Exception {
    Snapshot snapshot = new RandomSnapshots(4).next(100);
    SaveResult first = save(snapshot, new byte[] {7}, tags("llama", "0"));
    SaveResult second = save(snapshot, new byte[] {7}, tags("qwen", "1"));
    SaveResult third = save(snapshot, new byte[] {7}, Tags.NONE);
    assertFalse(first.existed());
    assertTrue(second.existed());
    assertTrue(third.existed());
    assertEquals(first.snapshot().id(), third.snapshot().id());
    assertEquals(tags("llama", "0"), store.get(first.snapshot().id()).orElseThrow().tags());
    assertEquals(1, store.count(SnapshotFilter.newest(5)));
  }

  @Test
  void concurrentUploadsOfSameFileAreStoredOnce() throws Exception {
    for (int round = 0; round < 10; round++) {
      Snapshot snapshot = new RandomSnapshots(round).next(20_000);
      byte[] file = new TestUploads(fixture.spool()).bytes(round, 300_000);
      List<SaveResult> saved = concurrently(4, () -> save(snapshot, file, Tags.NONE));
      assertEquals(1, saved.stream().filter(each -> !each.existed()).count(), "round " + round);
      assertEquals(1, saved.stream().map(each -> each.snapshot().id()).distinct().count());
      assertEquals(round + 1, store.count(SnapshotFilter.newest(0)));
      assertArrayEquals(file, original(saved.getFirst().snapshot().id()));
    }
  }

  @Test
  void filtersByNameTagsAndLabels() throws Exception {
    Snapshot snapshot = new RandomSnapshots(5).next(10);
    Tags labelled = new Tags("Llama-70B", "3", "node%1", 1200L, List.of("nightly", "oom"));
    String first = save(snapshot, new byte[] {1}, labelled).snapshot().id();
    String second = save(snapshot, new byte[] {2}, tags("qwen", "3")).snapshot().id();
    assertEquals(List.of(second, first), ids(filter(null, null, "3", null)));
    assertEquals(List.of(first), ids(filter("LLAMA", null, null, null)));
    assertEquals(List.of(first), ids(filter("e%1", null, null, null)));
    assertEquals(List.of(), ids(filter("%x", null, null, null)));
    assertEquals(List.of(second), ids(filter(null, "qwen", "3", null)));
    assertEquals(List.of(first), ids(filter(null, null, null, "oom")));
    assertEquals(
        List.of(second),
        ids(new SnapshotFilter(null, null, null, null, null, SnapshotOrder.NEWEST, 1, 0)));
    assertEquals(
        List.of(first),
        ids(new SnapshotFilter(null, null, null, null, null, SnapshotOrder.NEWEST, 9, 1)));
    assertEquals(labelled, store.get(first).orElseThrow().tags());
  }

  @Test
  void ordersByJobThenNumericRank() throws Exception {
    Snapshot snapshot = new RandomSnapshots(5).next(10);
    String[][] jobsAndRanks = {
      {"b", "10"}, {"a", "9"}, {"a", "x"}, {null, null}, {"a", "10"}, {"b", "2"}, {"a", "9"}
    };
    for (int i = 0; i < jobsAndRanks.length; i++) {
      save(
          snapshot,
          new byte[] {(byte) i},
          new Tags(jobsAndRanks[i][0], jobsAndRanks[i][1], null, (long) i, List.of()));
    }
    SnapshotFilter byJob =
        new SnapshotFilter(null, null, null, null, null, SnapshotOrder.JOB, 10, 0);
    assertEquals(
        // Job a has the newest upload.
        List.of(6L, 1L, 4L, 2L, 5L, 0L, 3L),
        store.find(byJob).stream().map(stored -> stored.tags().step()).toList());
    boolean isOutOfMemory =
        snapshot.devices().stream().anyMatch(device -> !device.trace().ooms().isEmpty());
    assertEquals(
        Map.of(
            "a", new JobTotals(4, 3, isOutOfMemory ? 4 : 0),
            "b", new JobTotals(2, 2, isOutOfMemory ? 2 : 0)),
        store.jobTotals(byJob, List.of("a", "b")));
    assertEquals(
        Map.of("a", new JobTotals(2, 1, isOutOfMemory ? 2 : 0)),
        store.jobTotals(filter(null, null, "9", null), List.of("a", "b")));
  }

  @Test
  void updateReplacesNameAndTagsInTheSearch() throws Exception {
    Tags before = new Tags("llama", "0", null, null, List.of("old"));
    String id = save(new RandomSnapshots(6).next(10), new byte[] {1}, before).snapshot().id();
    Tags after = new Tags(null, "3", "n7", 9L, List.of("new", "newer"));
    StoredSnapshot updated = store.update(id, "renamed.pickle", after).orElseThrow();
    assertEquals(after, updated.tags());
    assertEquals(updated, store.get(id).orElseThrow());
    assertEquals(List.of(id), ids(filter("renamed", null, "3", "newer")));
    assertEquals(List.of(), ids(filter("llama", null, null, null)));
    assertEquals(List.of(), ids(filter(null, null, null, "old")));
    assertEquals(Optional.empty(), store.update("0123456789abcdef", "x", after));
  }

  @Test
  void deleteRemovesAllData() throws Exception {
    String id =
        save(new RandomSnapshots(6).next(100), new byte[] {1}, tags("a", "0")).snapshot().id();
    assertTrue(store.delete(id));
    assertFalse(store.delete(id));
    assertEquals(Optional.empty(), store.get(id));
    assertEquals(Optional.empty(), store.load(id));
    assertTrue(store.original(id).isEmpty());
    for (String table : List.of("labels", "devices", "findings", "column_blobs", "originals")) {
      assertEquals(0, fixture.rows(table), table);
    }
    assertEquals(0, TestUploads.spoolFileCount(folder));
  }

  @Test
  void openOriginalSurvivesDeletion() throws Exception {
    byte[] file = new TestUploads(fixture.spool()).bytes(1, 3_000_000);
    String id = save(new RandomSnapshots(1).next(10), file, Tags.NONE).snapshot().id();
    try (OriginalFile original = store.original(id).orElseThrow();
        InputStream stream = original.stream()) {
      byte[] head = stream.readNBytes(1000);
      assertTrue(store.delete(id));
      byte[] rest = stream.readAllBytes();
      assertEquals(file.length, head.length + rest.length);
      assertEquals(file[file.length - 1], rest[rest.length - 1]);
    }
    assertEquals(0, TestUploads.spoolFileCount(folder));
  }

  @Test
  void readersSeeCompleteSnapshotsDuringConcurrentWrites() throws Exception {
    Snapshot snapshot = new RandomSnapshots(11).next(30_000);
    byte[] file = new TestUploads(fixture.spool()).bytes(11, 500_000);
    String id = save(snapshot, file, Tags.NONE).snapshot().id();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicInteger seenCount = new AtomicInteger();
      Future<?> writer =
          threads.submit(
              () -> {
                for (int round = 0; round < 15 || seenCount.get() == 0; round++) {
                  assertTrue(round < 1000, "the reader never saw the snapshot");
                  store.delete(id);
                  save(snapshot, file, Tags.NONE);
                }
                return null;
              });
      while (!writer.isDone()) {
        Optional<Snapshot> seen = store.load(id);
        if (seen.isPresent()) {
          SnapshotAssert.assertSame(snapshot, seen.get(), "concurrent reader");
          seenCount.incrementAndGet();
        }
        Optional<OriginalFile> original = store.original(id);
        if (original.isPresent()) {
          try (OriginalFile open = original.get()) {
            assertArrayEquals(file, open.stream().readAllBytes());
          }
        }
      }
      writer.get();
    }
  }

  @Test
  void rejectsUploadThatWouldUseReserveAndStoresNothing() throws Exception {
    fixture.close();
    try (StoreFixture full = new StoreFixture(folder, DataSize.ofTerabytes(1000))) {
      TestUploads uploads = new TestUploads(full.spool());
      StoreUnavailableException rejected =
          assertThrows(
              StoreUnavailableException.class,
              () ->
                  uploads.save(
                      full.store(), new RandomSnapshots(1).next(9), new byte[9], Tags.NONE));
      assertEquals(StoreUnavailableException.Reason.DISK_FULL, rejected.reason());
      assertFalse(String.valueOf(rejected.getMessage()).contains(folder.toString()));
      assertEquals(Status.DOWN, full.health().getStatus());
      assertTrue(String.valueOf(full.health().getDetails()).contains("The disk is full"));
      assertEquals(0, full.store().count(SnapshotFilter.newest(0)));
      assertEquals(0, full.rows("column_blobs"));
    }
    open();
  }

  @Test
  void secondStoreOnSameFolderReportsProcessId() {
    DataFolderException failure =
        assertThrows(DataFolderException.class, () -> new StoreFixture(folder));
    String message = String.valueOf(failure.getMessage());
    assertTrue(
        message.startsWith("Another vramscope process uses the data folder " + folder), message);
    assertTrue(message.contains("process id " + ProcessHandle.current().pid()), message);
  }

  @Test
  void clearsSpoolAtStart() throws Exception {
    fixture.close();
    Files.write(folder.resolve("spool").resolve("part-1.zst"), new byte[100]);
    open();
    assertEquals(0, TestUploads.spoolFileCount(folder));
  }

  private SaveResult save(Snapshot snapshot, byte[] file, Tags tags) throws IOException {
    return new TestUploads(fixture.spool()).save(store, snapshot, file, tags);
  }

  private byte[] original(String id) throws IOException {
    try (OriginalFile original = store.original(id).orElseThrow()) {
      return original.stream().readAllBytes();
    }
  }

  private List<String> ids(SnapshotFilter filter) {
    return store.find(filter).stream().map(StoredSnapshot::id).toList();
  }

  private static SnapshotFilter filter(
      @Nullable String text, @Nullable String job, @Nullable String rank, @Nullable String label) {
    return new SnapshotFilter(text, job, rank, null, label, SnapshotOrder.NEWEST, 10, 0);
  }

  private static Tags tags(String job, String rank) {
    return new Tags(job, rank, null, null, List.of());
  }

  private static <T> List<T> concurrently(int threads, Callable<T> work)
      throws InterruptedException, ExecutionException {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<T> results = new ArrayList<>();
      for (Future<T> done : pool.invokeAll(Collections.nCopies(threads, work))) {
        results.add(done.get());
      }
      return results;
    }
  }
}
