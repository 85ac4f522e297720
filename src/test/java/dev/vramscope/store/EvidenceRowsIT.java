package dev.vramscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.evidence.AttachedText;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.files.Sidecar;
import dev.vramscope.store.listing.Tags;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** Texts that users attach are as durable as names and tags. */
class EvidenceRowsIT {
  private static final Instant ADDED = Instant.parse("2026-11-23T08:00:00.123456Z");
  private static final AttachedText LOG =
      new AttachedText(1, 0, null, ADDED, "CUDA out of memory.\n\"16 GiB\" \\ € \u0001");
  private static final AttachedText SMI = new AttachedText(3, 2, 7, ADDED, "| nvidia-smi |");

  @TempDir Path folder;

  @Test
  void textsSurviveARestartAndAreRemoved() throws Exception {
    String id;
    try (StoreFixture fixture = new StoreFixture(folder)) {
      id = save(fixture);
      SnapshotStore store = fixture.store();
      assertThat(store.evidence(id)).isEmpty();
      assertThat(store.changeEvidence(id, _ -> List.of(LOG))).hasValue(List.of(LOG));
      store.changeEvidence(
          id,
          texts -> {
            List<AttachedText> more = new ArrayList<>(texts);
            more.add(SMI);
            return more;
          });
      assertThat(store.update(id, "other name", Tags.NONE)).isPresent();
    }
    try (StoreFixture fixture = new StoreFixture(folder)) {
      SnapshotStore store = fixture.store();
      assertThat(store.evidence(id)).containsExactly(LOG, SMI);
      assertThat(store.changeEvidence(id, texts -> texts.subList(1, 2))).hasValue(List.of(SMI));
      assertThat(store.evidence(id)).containsExactly(SMI);
      assertThat(store.changeEvidence("0123456789abcdef", texts -> texts)).isEmpty();
      assertThat(store.delete(id)).isTrue();
      assertThat(store.evidence(id)).isEmpty();
      assertThat(save(fixture)).isEqualTo(id);
      assertThat(store.evidence(id)).isEmpty();
    }
  }

  @Test
  void textsSurviveTheLossOfTheDatabase() throws Exception {
    Snapshot snapshot = new RandomSnapshots(7).next(500);
    OriginalReader reader = (_, _) -> new OriginalReader.Content(snapshot, null, 0);
    String id;
    try (StoreFixture fixture = new StoreFixture(folder)) {
      id = save(fixture);
      fixture.store().changeEvidence(id, _ -> List.of(LOG, SMI));
    }
    try (var files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".mv.db")).toList()) {
        Files.delete(file);
      }
    }
    try (StoreFixture fixture = new StoreFixture(folder, DataSize.ofMegabytes(64), reader)) {
      fixture.awaitRebuilt();
      assertThat(fixture.store().evidence(id)).containsExactly(LOG, SMI);
    }
  }

  @Test
  void damagedRowsAreNotShown() throws Exception {
    try (StoreFixture fixture = new StoreFixture(folder)) {
      String id = save(fixture);
      fixture.store().changeEvidence(id, _ -> List.of(LOG, SMI));
      fixture.execute("update evidence set text = 'other' where number = 3");
      assertThat(fixture.store().evidence(id)).containsExactly(LOG, SMI); // Of the sidecar.
    }
  }

  /** A sidecar of a release without evidence. */
  @Test
  void aDescriptionWithoutEvidenceHasNone() throws Exception {
    Sidecar sidecar = Sidecar.adopted("ab".repeat(32), 1, ADDED).withEvidence(List.of(LOG));
    assertThat(Sidecar.decode(sidecar.encode(), sidecar.sha256())).isEqualTo(sidecar);
    assertThat(new String(sidecar.withEvidence(List.of()).encode(), StandardCharsets.UTF_8))
        .doesNotContain("\"evidence\"");
  }

  private static String save(StoreFixture fixture) throws Exception {
    byte[] file = {1, 2, 3};
    return new TestUploads(fixture.spool())
        .save(fixture.store(), new RandomSnapshots(7).next(500), file, Tags.NONE)
        .snapshot()
        .id();
  }
}
