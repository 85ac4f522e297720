package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.store.DamagedSnapshotException;
import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.SnapshotOrder;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/**
 * A byte of a hash or a tag is flipped in a page of the table of snapshots or of its indexes: after
 * the start, the list, the filters and the lookups find every snapshot.
 */
class DamagedIndexIT {
  private static final int SNAPSHOTS = 6;
  private static final int MAX_FLIPS_PER_VALUE = 6;

  @TempDir Path folder;
  private final List<StoredSnapshot> stored = new ArrayList<>();

  @Test
  void noFlippedByteHidesASnapshot() throws Exception {
    Path intact = folder.resolve("intact");
    try (IntakeFixture fixture = new IntakeFixture(intact)) {
      for (int seed = 0; seed < SNAPSHOTS; seed++) {
        stored.add(upload(fixture, seed));
      }
      stored.sort(
          Comparator.comparing(StoredSnapshot::uploaded)
              .reversed()
              .thenComparing(StoredSnapshot::id));
    }
    StoredSnapshot one = stored.get(2);
    Tags tags = one.tags();
    byte[] database = Files.readAllBytes(intact.resolve("vramscope.mv.db"));
    String text = new String(database, StandardCharsets.ISO_8859_1);
    int flips = 0;
    for (String value : new String[] {one.sha256(), tags.job(), tags.host()}) {
      int ofValue = 0;
      for (int at = text.lastIndexOf(value);
          at >= 0 && ofValue < MAX_FLIPS_PER_VALUE;
          at = text.lastIndexOf(value, at - 1)) {
        byte[] damaged = database.clone();
        damaged[at + 1] ^= 1;
        Path data = folder.resolve("flip" + flips);
        FileSystemUtils.copyRecursively(intact, data);
        Files.write(data.resolve("vramscope.mv.db"), damaged);
        assertEverySnapshotIsFound(data, "'" + value + "' at " + at);
        FileSystemUtils.deleteRecursively(data);
        ofValue++;
        flips++;
      }
    }
    assertThat(flips).isGreaterThan(6);
  }

  private void assertEverySnapshotIsFound(Path data, String message) throws Exception {
    try (IntakeFixture fixture = new IntakeFixture(data)) {
      await(message)
          .pollInterval(Duration.ofMillis(20))
          .atMost(Duration.ofSeconds(8))
          .until(() -> isEverySnapshotFound(fixture));
    }
  }

  private boolean isEverySnapshotFound(IntakeFixture fixture) {
    try {
      return fixture.storeFixture().status().rebuilding() == 0
          && ids(fixture, filter(null, null, null, null))
              .equals(stored.stream().map(StoredSnapshot::id).toList())
          && stored.stream().allMatch(each -> isFound(fixture, each));
    } catch (StoreUnavailableException
        | DamagedSnapshotException
        | SnapshotPendingException reported) {
      return false;
    }
  }

  private static boolean isFound(IntakeFixture fixture, StoredSnapshot each) {
    Tags tags = each.tags();
    List<String> expected = List.of(each.id());
    return fixture
            .store()
            .get(each.id())
            .map(StoredSnapshot::sha256)
            .equals(Optional.of(each.sha256()))
        && ids(fixture, filter(tags.job(), null, null, null)).equals(expected)
        && ids(fixture, filter(null, tags.rank(), null, null)).equals(expected)
        && ids(fixture, filter(null, null, tags.host(), null)).equals(expected)
        && ids(fixture, filter(null, null, null, tags.labels().getFirst())).equals(expected);
  }

  private static SnapshotFilter filter(
      @Nullable String job, @Nullable String rank, @Nullable String host, @Nullable String label) {
    return new SnapshotFilter(null, job, rank, host, label, SnapshotOrder.NEWEST, 100, 0);
  }

  private static List<String> ids(IntakeFixture fixture, SnapshotFilter filter) {
    return fixture.store().find(filter).stream().map(StoredSnapshot::id).toList();
  }

  private static StoredSnapshot upload(IntakeFixture fixture, int seed) throws Exception {
    byte[] file = JsonSnapshots.file(seed, 20, 2_000);
    Tags tags =
        new Tags(
            "training" + seed,
            "rank" + seed,
            "machine" + seed,
            (long) seed,
            List.of("experiment" + seed));
    return fixture
        .intake()
        .accept(
            new ByteArrayInputStream(file),
            new UploadRequest("file " + seed, tags, DuplicateTags.KEEP, file.length))
        .snapshot();
  }
}
