package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestExtent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.DamagedSnapshotException;
import dev.vramscope.store.SnapshotAssert;
import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.StoreStatus;
import dev.vramscope.store.TestUploads;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/**
 * 40 bytes are flipped anywhere in the data folder, between two runs of the service or while it is
 * running: every number, name and tag that is read afterwards is right, or there is an error that
 * names the snapshot.
 */
class FlippedBytesIT {
  private static final int ROUNDS = Integer.getInteger("vramscope.test.flips", TestExtent.of(2, 8));
  private static final int FLIPPED_BYTES = 40;
  private static final int SNAPSHOTS = 12;

  @TempDir Path folder;
  private final Map<String, StoredSnapshot> expected = new TreeMap<>();
  private final Map<String, Snapshot> models = new TreeMap<>();
  private int downloads;
  private int reported;

  @Test
  void nothingWrongIsReturned() throws Exception {
    long seed = Long.getLong("vramscope.test.seed", System.nanoTime());
    Path intact = folder.resolve("intact");
    store(intact);
    for (int round = 0; round < ROUNDS; round++) {
      SplittableRandom random = new SplittableRandom(seed + round);
      Path data = folder.resolve("round" + round);
      FileSystemUtils.copyRecursively(intact, data);
      String message = "seed " + (seed + round);
      if (round % 2 == 0) {
        flip(data, random);
        try (IntakeFixture fixture = new IntakeFixture(data)) {
          verify(fixture, message);
          fixture.storeFixture().awaitRebuilt();
          verify(fixture, message + ", rebuilt");
        }
      } else {
        try (IntakeFixture fixture = new IntakeFixture(data)) {
          flip(data, random);
          verify(fixture, message + ", running");
        }
      }
      FileSystemUtils.deleteRecursively(data);
    }
    System.out.printf(
        "%d rounds of %d flipped bytes from seed %d: %d downloads, %d reported as damaged, 0"
            + " wrong%n",
        ROUNDS, FLIPPED_BYTES, seed, downloads, reported);
  }

  private void store(Path data) throws Exception {
    try (IntakeFixture fixture = new IntakeFixture(data)) {
      for (int seed = 0; seed < SNAPSHOTS; seed++) {
        byte[] file = JsonSnapshots.file(seed, 300 + seed, 30_000);
        StoredSnapshot stored =
            fixture
                .intake()
                .accept(
                    new ByteArrayInputStream(file),
                    new UploadRequest(
                        "file " + seed,
                        new Tags("job", "" + seed, null, null, List.of("a", "b")),
                        DuplicateTags.KEEP,
                        file.length))
                .snapshot();
        expected.put(stored.id(), stored);
        models.put(stored.id(), fixture.store().load(stored.id()).orElseThrow());
      }
    }
  }

  private static void flip(Path data, SplittableRandom random) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(data)) {
      files = all.filter(Files::isRegularFile).filter(file -> size(file) > 0).sorted().toList();
    }
    for (int i = 0; i < FLIPPED_BYTES; i++) {
      // Every file is as likely as any other: the small ones are hit as well.
      Path file = files.get(random.nextInt(files.size()));
      if (random.nextInt(3) == 0) {
        file = data.resolve("vramscope.mv.db");
      }
      try (RandomAccessFile target = new RandomAccessFile(file.toFile(), "rw")) {
        long position = random.nextLong(target.length());
        target.seek(position);
        int value = target.read();
        target.seek(position);
        target.write(value ^ (1 << random.nextInt(8)));
      }
    }
  }

  private static long size(Path file) {
    return file.toFile().length();
  }

  private void verify(IntakeFixture fixture, String message) throws Exception {
    List<StoredSnapshot> listed = new ArrayList<>();
    try {
      listed.addAll(fixture.store().find(SnapshotFilter.newest(100)));
      if (listed.size() < expected.size()) {
        // It may have been rebuilt since.
        StoreStatus.Report status = fixture.storeFixture().status();
        assertThat(status.isGood() && status.setAside().isEmpty()).as(message).isFalse();
      }
    } catch (StoreUnavailableException reportedAsUnreadable) {
      reported++;
    }
    for (StoredSnapshot each : listed) {
      assertSame(each, message);
    }
    for (String id : expected.keySet()) {
      try {
        assertSame(fixture.store().get(id).orElseThrow(), message);
        SnapshotAssert.assertSame(
            Objects.requireNonNull(models.get(id)),
            fixture.store().load(id).orElseThrow(),
            message + ", " + id);
      } catch (DamagedSnapshotException
          | SnapshotPendingException
          | StoreUnavailableException damage) {
        reported++;
      }
      downloads++;
      try (OriginalFile original = fixture.store().original(id).orElseThrow()) {
        byte[] bytes = original.stream().readAllBytes();
        assertThat(TestUploads.sha256(bytes)).as(message).isEqualTo(expected.get(id).sha256());
      } catch (DamagedSnapshotException
          | SnapshotPendingException
          | StoreUnavailableException
          | IOException damage) {
        reported++;
      }
    }
  }

  private void assertSame(StoredSnapshot actual, String message) {
    StoredSnapshot right = expected.get(actual.id());
    assertThat(actual)
        .as(message)
        .usingRecursiveComparison()
        .ignoringFields("name", "tags", "uploaded", "storedBytes", "format", "producer")
        .isEqualTo(right);
    // A snapshot of which both sidecar and row are lost has a name that shows it.
    if (!actual.name().startsWith("recovered ")) {
      assertThat(actual)
          .as(message)
          .usingRecursiveComparison()
          .ignoringFields("storedBytes")
          .isEqualTo(right);
    }
  }
}
