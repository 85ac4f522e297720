package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.TestExtent;
import dev.vramscope.store.TestUploads;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills an uploading process with SIGKILL at random times, repeatedly in one data folder. Every
 * acknowledged upload must be stored, every stored snapshot complete, and the spool empty.
 */
class SigkillIT {
  private static final int ROUNDS = TestExtent.of(5, 20);
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(75);
  private static final int MIN_ROUNDS = 5;

  @TempDir Path folder;

  @Test
  void acknowledgedUploadsSurviveSigkill() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> acknowledged = new LinkedHashMap<>();
    long start = System.nanoTime();
    int round = 0;
    for (; round < ROUNDS; round++) {
      if (round >= MIN_ROUNDS && System.nanoTime() - start > MAX_NANOS) {
        break;
      }
      uploadAndKill(seed + round, random.nextInt(1500), acknowledged);
      verify(acknowledged, "seed " + seed + ", round " + round);
    }
    assertTrue(acknowledged.size() >= round, acknowledged.size() + " acknowledged in " + round);
  }

  /** Runs an uploading process for a while, kills it, and records what it acknowledged. */
  private void uploadAndKill(long seed, int millis, Map<String, String> acknowledged)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                UploadingProcess.class.getName(),
                folder.toString(),
                Long.toString(seed))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String first = output.readLine();
      assertTrue(first != null, "the process ended before its first output");
      record(first, acknowledged);
      Thread killer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      // The moment of the kill is random, as intended.
                      Thread.sleep(millis);
                    } catch (InterruptedException early) {
                      Thread.currentThread().interrupt();
                    }
                    process
                        .toHandle()
                        .destroyForcibly(); // Process.destroyForcibly would close the pipe.
                  });
      // The pipe still has the output from before the kill.
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        record(line, acknowledged);
      }
      killer.join();
    }
    assertEquals(128 + 9, process.waitFor(), "the process must end by SIGKILL");
  }

  private static void record(String line, Map<String, String> acknowledged) {
    String[] fields = line.split(" ");
    // The kill may truncate the last line, which is then not an acknowledgement.
    if (fields.length == 3 && fields[2].length() == 64) {
      assertEquals("ACK", fields[0], line);
      acknowledged.put(fields[1], fields[2]);
    } else {
      assertTrue("ACK ".startsWith(fields[0]) || fields[0].equals("ACK"), line);
    }
  }

  private void verify(Map<String, String> acknowledged, String message) throws Exception {
    try (IntakeFixture fixture = new IntakeFixture(folder)) {
      try {
        assertAllStored(fixture, acknowledged, message);
        return;
      } catch (StoreUnavailableException damaged) {
        // H2 seldom restores a part of the killed transaction. The database is then replaced.
        fixture.storeFixture().awaitReplaced();
      }
    }
    try (IntakeFixture fixture = new IntakeFixture(folder)) {
      assertAllStored(fixture, acknowledged, message);
    }
  }

  private void assertAllStored(
      IntakeFixture fixture, Map<String, String> acknowledged, String message) throws Exception {
    fixture.storeFixture().awaitRebuilt();
    assertEquals(0, TestUploads.spoolFileCount(folder), message);
    List<StoredSnapshot> visible = fixture.store().find(SnapshotFilter.newest(Integer.MAX_VALUE));
    Map<String, String> found = new LinkedHashMap<>();
    for (StoredSnapshot stored : visible) {
      found.put(stored.id(), stored.sha256());
      assertComplete(fixture, stored, message);
    }
    acknowledged.forEach((id, sha256) -> assertEquals(sha256, found.get(id), message));
  }

  private static void assertComplete(IntakeFixture fixture, StoredSnapshot stored, String message)
      throws IOException {
    long events =
        fixture.store().load(stored.id()).orElseThrow().devices().stream()
            .mapToLong(device -> device.trace().size())
            .sum();
    assertEquals(stored.eventCount(), events, message);
    try (OriginalFile original = fixture.store().original(stored.id()).orElseThrow()) {
      assertEquals(stored.sha256(), TestUploads.sha256(original.stream().readAllBytes()), message);
    }
  }
}
