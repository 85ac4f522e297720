package dev.vramscope.live.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.vramscope.live.TracePosition;
import dev.vramscope.store.StoreFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunHistoryTest {
  private final Path folder;

  RunHistoryTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private RunHistory open() {
    return open(DataSize.ofBytes(0));
  }

  private RunHistory open(DataSize minFree) {
    return new RunHistory(StoreFixture.files(folder, minFree));
  }

  private static EndedRun run(long id, String state, MemoryVerdict.@Nullable Fits fits) {
    return new EndedRun(
        new EndedRun.Host(
            7,
            "my allocator",
            "simulated device of 16 GiB",
            /* simulated= */ true,
            "caching",
            "expandable_segments:True"),
        id,
        WorkloadRequest.replaying("0123456789abcdef"),
        Instant.parse("2026-11-22T10:00:00Z"),
        Instant.parse("2026-11-22T10:00:05.5Z"),
        state,
        state.equals("failed") ? "Step 3: out of memory" : null,
        new EndedRun.Counts(
            3, 0, 100, 1 << 20, 90, 1, new Mismatch(0x7f00, 0x7f00, 512, 1, 8, 2), 1, 0, 1L << 40),
        fits,
        null,
        new TracePosition("fedcba9876543210", 17, 1));
  }

  @Test
  void keepsRunsAfterARestart() {
    EndedRun fits = run(1, "done", new MemoryVerdict.Fits(10, 2, 3, 4));
    EndedRun failed = run(2, "failed", null);
    RunHistory before = open();
    before.put(run(1, "running", null));
    before.put(fits);
    before.put(failed);

    RunHistory after = open();
    assertThat(after.latest()).containsExactly(failed, fits);
    assertThat(after.problem()).isNull();
  }

  /** Programs read them, and so does a later release. */
  @Test
  void membersOfItsPartsAreThoseOfTheRun() {
    JsonNode json =
        new JsonMapper().valueToTree(run(1, "done", new MemoryVerdict.Fits(10, 2, 3, 4)));
    assertThat(json.propertyNames())
        .containsExactly(
            "allocator",
            "allocatorName",
            "device",
            "simulated",
            "kind",
            "settings",
            "run",
            "request",
            "started",
            "ended",
            "state",
            "failure",
            "steps",
            "stepCount",
            "allocations",
            "filledBytes",
            "checks",
            "mismatches",
            "firstMismatch",
            "ooms",
            "oomsRecovered",
            "peakBytes",
            "fits",
            "doesNotFit",
            "postMortem");
  }

  @Test
  void runsThatWereActiveWhenTheProcessWasKilledAreInterrupted() {
    open().put(run(1, "running", null));
    assertThat(open().latest()).extracting(EndedRun::state).containsExactly("interrupted");
  }

  @Test
  void keepsTheLatestRuns() {
    RunHistory history = open();
    for (int id = 0; id < RunHistory.MAX_RUNS + 5; id++) {
      history.put(run(id, "done", null));
    }
    assertThat(open().latest()).hasSize(RunHistory.MAX_RUNS).extracting(EndedRun::run).endsWith(5L);
  }

  @Test
  void damagedFileIsSetAsideAndReported() throws IOException {
    open().put(run(1, "done", null));
    Path file = folder.resolve("runs.json");
    byte[] bytes = Files.readAllBytes(file);
    bytes[20] = 0;
    Files.write(file, bytes);

    RunHistory after = open();
    assertThat(after.latest()).isEmpty();
    assertThat(after.problem()).contains("kept as runs.json.unreadable-");
    after.put(run(2, "done", null));
    try (var files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .hasSize(2)
          .anySatisfy(name -> assertThat(name).startsWith("runs.json.unreadable-"));
    }
    assertThat(open().latest())
        .extracting(EndedRun::run, EndedRun::state)
        .containsExactly(tuple(2L, "done"));
  }

  @Test
  void changedDigitIsDamage() throws IOException {
    open().put(run(1, "done", null));
    Path file = folder.resolve("runs.json");
    String text = Files.readString(file);
    assertThat(text).contains(":1048576,");
    Files.writeString(file, text.replace(":1048576,", ":1048577,"));

    RunHistory after = open();
    assertThat(after.latest()).isEmpty();
    assertThat(after.problem()).contains("kept as runs.json.unreadable-");
  }

  @Test
  void unwritableFolderIsReportedAndRunsAreKeptInMemory() throws IOException {
    RunHistory history = open();
    Files.createDirectory(folder.resolve("runs.json"));
    Files.createFile(folder.resolve("runs.json").resolve("in the way"));
    history.put(run(1, "done", null));
    assertThat(history.latest()).hasSize(1);
    assertThat(history.problem()).contains("could not be saved");

    Files.delete(folder.resolve("runs.json").resolve("in the way"));
    Files.delete(folder.resolve("runs.json"));
    history.put(run(2, "done", null));
    assertThat(history.problem()).isNull();
    assertThat(open().latest()).hasSize(2);
  }

  @Test
  void fullDiskIsReportedAndNotWrittenTo() throws IOException {
    open().put(run(1, "done", null));
    byte[] before = Files.readAllBytes(folder.resolve("runs.json"));
    RunHistory history = open(DataSize.ofTerabytes(1000));
    history.put(run(2, "done", null));
    assertThat(history.latest()).hasSize(2);
    assertThat(history.problem()).contains("could not be saved");
    assertThat(folder.resolve("runs.json")).hasBinaryContent(before);
  }
}
