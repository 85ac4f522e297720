package dev.vramscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Snapshot;
import dev.vramscope.store.listing.Tags;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of replays belong to a snapshot and to a version of the engine. */
class ReplayRowsIT {
  @TempDir Path folder;

  @Test
  void resultsSurviveARestartAndEndWithTheirVersion() throws Exception {
    String id;
    try (StoreFixture fixture = new StoreFixture(folder)) {
      id = save(fixture);
      fixture.store().putReplay(id, 1, "default", "{\"fits\":true}");
      fixture.store().putReplay(id, 1, "expandable", "{\"fits\":false}");
      fixture.store().putReplay(id, 1, "expandable", "{\"fits\":true}");
    }
    try (StoreFixture fixture = new StoreFixture(folder)) {
      SnapshotStore store = fixture.store();
      assertThat(store.replays(id, 1))
          .isEqualTo(Map.of("default", "{\"fits\":true}", "expandable", "{\"fits\":true}"));
      assertThat(store.replays(id, 2)).isEmpty();
      store.putReplay(id, 2, "default", "{}");
      assertThat(store.replays(id, 1)).isEmpty();
      assertThat(store.replays(id, 2)).isEqualTo(Map.of("default", "{}"));
    }
  }

  @Test
  void resultsAreDeletedWithTheirSnapshot() throws Exception {
    try (StoreFixture fixture = new StoreFixture(folder)) {
      SnapshotStore store = fixture.store();
      String id = save(fixture);
      store.putReplay(id, 1, "default", "{}");
      assertThat(store.delete(id)).isTrue();
      store.putReplay(id, 1, "late", "{}"); // A replay that ends after the deletion.
      assertThat(store.replays(id, 1)).isEmpty();
      assertThat(save(fixture)).isEqualTo(id);
      assertThat(store.replays(id, 1)).isEmpty();
    }
  }

  private static String save(StoreFixture fixture) throws Exception {
    Snapshot snapshot = new RandomSnapshots(7).next(500);
    byte[] file = {1, 2, 3};
    return new TestUploads(fixture.spool())
        .save(fixture.store(), snapshot, file, Tags.NONE)
        .snapshot()
        .id();
  }
}
