package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.store.OriginalFile;
import dev.vramscope.store.SnapshotFilter;
import dev.vramscope.store.StoreFixture;
import dev.vramscope.store.StoredSnapshot;
import dev.vramscope.store.TestUploads;
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
 * Kills a process that uploads, with SIGKILL at random moments, round after round in one folder:
 * whatever it acknowledged is there and whole, whatever is there is whole, and the spool is swept.
 */
class KillNineIT {
  private static final int ROUNDS = 20;
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(75);
  private static final int LEAST_ROUNDS = 5;

  @TempDir Path folder;

  @Test
  void aKilledProcessLosesNothingItAcknowledged() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> acknowledged = new LinkedHashMap<>();
    long start = System.nanoTime();
    int round = 0;
    for (; round < ROUNDS; round++) {
      if (round >= LEAST_ROUNDS && System.nanoTime() - start > MAX_NANOS) {
        break;
      }
      uploadAndKill(seed + round, random.nextInt(1500), acknowledged);
      verify(acknowledged, "seed " + seed + ", round " + round);
    }
    assertTrue(acknowledged.size() >= round, acknowledged.size() + " acknowledged in " + round);
  }

  /** Starts a process, lets it upload for a while, kills it, and keeps what it acknowledged. */
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
    try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
      String first = answers.readLine();
      assertTrue(first != null, "it ended before its first answer");
      note(first, acknowledged);
      Thread killer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      Thread.sleep(millis);
                    } catch (InterruptedException early) {
                      Thread.currentThread().interrupt();
                    }
                    process
                        .toHandle()
                        .destroyForcibly(); // The process itself would close the pipe.
                  });
      // What it said before it died is in the pipe.
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        note(line, acknowledged);
      }
      killer.join();
    }
    assertEquals(128 + 9, process.waitFor(), "it was to be killed and not to end by itself");
  }

  private static void note(String line, Map<String, String> acknowledged) {
    String[] words = line.split(" ");
    // The last line may be cut off by the kill: the client would not have had it.
    if (words.length == 3 && words[2].length() == 64) {
      assertEquals("ACK", words[0], line);
      acknowledged.put(words[1], words[2]);
    } else {
      assertTrue("ACK ".startsWith(words[0]) || words[0].equals("ACK"), line);
    }
  }

  private void verify(Map<String, String> acknowledged, String when) throws IOException {
    try (StoreFixture fixture = new StoreFixture(folder)) {
      assertEquals(0, TestUploads.spooled(folder), when);
      List<StoredSnapshot> visible = fixture.store().find(SnapshotFilter.newest(Integer.MAX_VALUE));
      Map<String, String> found = new LinkedHashMap<>();
      for (StoredSnapshot stored : visible) {
        found.put(stored.id(), stored.sha256());
        assertWhole(fixture, stored, when);
      }
      acknowledged.forEach((id, sha256) -> assertEquals(sha256, found.get(id), when));
    }
  }

  private static void assertWhole(StoreFixture fixture, StoredSnapshot stored, String when)
      throws IOException {
    long events =
        fixture.store().load(stored.id()).orElseThrow().devices().stream()
            .mapToLong(device -> device.trace().size())
            .sum();
    assertEquals(stored.eventCount(), events, when);
    try (OriginalFile original = fixture.store().original(stored.id()).orElseThrow()) {
      assertEquals(stored.sha256(), TestUploads.sha256(original.stream().readAllBytes()), when);
    }
  }
}
