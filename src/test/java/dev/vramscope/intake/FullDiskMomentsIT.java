package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vramscope.TestExtent;
import dev.vramscope.store.TestUploads;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/**
 * A process uploads to a small disk until it is full, while another writer takes the rest, and is
 * ended at a random moment by SIGTERM or SIGKILL. Then the store is opened on the full disk, used,
 * opened again, and given room: no acknowledged snapshot may be lost, and no deleted one return.
 * {@code -Dvramscope.test.moments=200} runs more moments. Requires permission to mount.
 */
class FullDiskMomentsIT {
  private static final int MOMENTS =
      Integer.getInteger("vramscope.test.moments", TestExtent.of(2, 10));
  private static final int DISK_MEGABYTES = 12;
  private static final int MAX_MILLIS = 1500;
  private static final Duration MAX_WAIT = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final Map<String, String> acknowledged = new LinkedHashMap<>();
  private final Set<String> deleting = new HashSet<>();
  private final Set<String> deleted = new HashSet<>();

  @AfterEach
  void unmount() throws Exception {
    run("umount", folder.resolve("disk").toString());
  }

  @Test
  void nothingAcknowledgedIsLostAndNothingDeletedReturns() throws Exception {
    long seed = Long.getLong("vramscope.test.seed", System.nanoTime());
    Path disk = Files.createDirectory(folder.resolve("disk"));
    int acknowledgedCount = 0;
    int deletedCount = 0;
    for (int moment = 0; moment < MOMENTS; moment++) {
      assumeTrue(
          run(
              "mount",
              "-t",
              "tmpfs",
              "-o",
              "size=" + DISK_MEGABYTES + "m",
              "tmpfs",
              disk.toString()),
          "skipped: mounting a tmpfs is not permitted");
      acknowledged.clear();
      deleting.clear();
      deleted.clear();
      String message = "seed " + (seed + moment);
      SplittableRandom random = new SplittableRandom(seed + moment);
      long reserveKilobytes = new long[] {0, 500, 3000}[random.nextInt(3)];
      useUntilKilled(disk.resolve("data"), seed + moment, random, reserveKilobytes);
      acknowledgedCount += acknowledged.size();
      deletedCount += deleted.size();
      verify(disk, reserveKilobytes, message);
      assertThat(run("umount", disk.toString())).as(message).isTrue();
    }
    System.out.printf(
        "%d moments from seed %d: %d acknowledged, %d deleted, 0 lost, 0 returned%n",
        MOMENTS, seed, acknowledgedCount, deletedCount);
  }

  private void useUntilKilled(Path data, long seed, SplittableRandom random, long reserveKilobytes)
      throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FullDiskProcess.class.getName(),
                data.toString(),
                Long.toString(seed),
                Long.toString(reserveKilobytes))
            .redirectError(data.resolveSibling("../log").normalize().toFile())
            .start();
    int fillAfter = random.nextInt(MAX_MILLIS);
    int killAfter = random.nextInt(MAX_MILLIS);
    boolean kill = random.nextBoolean();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.readLine()).isEqualTo("READY");
      Thread others =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      // The moments are random, as intended.
                      Thread.sleep(fillAfter);
                      fill(data.resolveSibling("ballast"));
                      Thread.sleep(killAfter);
                      if (kill) {
                        process.toHandle().destroyForcibly();
                      } else {
                        process.toHandle().destroy();
                      }
                    } catch (InterruptedException | IOException failed) {
                      throw new IllegalStateException(failed);
                    }
                  });
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        record(line.split(" "));
      }
      others.join();
    }
    assertThat(process.waitFor()).as("seed " + seed).isEqualTo(kill ? 128 + 9 : 128 + 15);
  }

  private void record(String[] fields) {
    // The kill may truncate the last line.
    if (fields[0].equals("ACK") && fields.length == 3 && fields[2].length() == 64) {
      acknowledged.put(fields[1], fields[2]);
    } else if (fields[0].equals("DELETING") && fields.length == 2) {
      deleting.add(fields[1]);
    } else if (fields[0].equals("DELETED") && fields.length == 2 && fields[1].length() == 16) {
      deleted.add(fields[1]);
    }
  }

  private void verify(Path disk, long reserveKilobytes, String message) throws Exception {
    fill(disk.resolve("ballast"));
    try (IntakeFixture fixture = open(disk, reserveKilobytes)) {
      verifyFiles(fixture, message + ", full disk");
      Optional<String> last =
          acknowledged.keySet().stream().filter(id -> !deleting.contains(id)).findFirst();
      if (last.isPresent()) {
        assertThat(fixture.store().delete(last.get())).as(message).isTrue();
        deleting.add(last.get());
        deleted.add(last.get());
      }
      fill(disk.resolve("ballast"));
    }
    try (IntakeFixture fixture = open(disk, reserveKilobytes)) {
      verifyFiles(fixture, message + ", full disk, second start");
      giveRoom(disk);
      await(message)
          .atMost(MAX_WAIT)
          .until(
              fixture.storeFixture()::status,
              status -> status.writable() && status.rebuilding() == 0);
      verifyFiles(fixture, message + ", with room");
      verifyPages(fixture, message);
      byte[] file = JsonSnapshots.file(1, 20, 1000);
      fixture
          .intake()
          .accept(
              new ByteArrayInputStream(file),
              new UploadRequest("f", Tags.NONE, DuplicateTags.KEEP, file.length));
    }
    try (IntakeFixture fixture = open(disk, reserveKilobytes)) {
      fixture.storeFixture().awaitRebuilt();
      verifyPages(fixture, message + ", third start");
    }
  }

  /** The store itself may have filled the disk. */
  private static void giveRoom(Path disk) throws Exception {
    Files.delete(disk.resolve("ballast"));
    String size = "remount,size=" + 2 * DISK_MEGABYTES + "m";
    assertThat(run("mount", "-o", size, disk.toString())).isTrue();
  }

  private static IntakeFixture open(Path disk, long reserveKilobytes) {
    return new IntakeFixture(
        disk.resolve("data"), DataSize.ofKilobytes(reserveKilobytes), IntakeFixture.LIMITS);
  }

  private void verifyFiles(IntakeFixture fixture, String message) throws IOException {
    for (Map.Entry<String, String> each : acknowledged.entrySet()) {
      Optional<OriginalFile> original = fixture.store().original(each.getKey());
      if (deleted.contains(each.getKey())) {
        assertThat(original).as(message + ": deleted " + each.getKey()).isEmpty();
      } else if (!deleting.contains(each.getKey()) || original.isPresent()) {
        assertThat(original).as(message + ": lost " + each.getKey()).isPresent();
        try (OriginalFile file = original.get()) {
          assertThat(TestUploads.sha256(file.stream().readAllBytes()))
              .as(message)
              .isEqualTo(each.getValue());
        }
      }
    }
  }

  private void verifyPages(IntakeFixture fixture, String message) throws IOException {
    Set<String> listed = new HashSet<>();
    for (StoredSnapshot each : fixture.store().find(SnapshotFilter.newest(1000))) {
      listed.add(each.id());
      assertThat(fixture.store().load(each.id())).as(message).isPresent();
    }
    for (String id : acknowledged.keySet()) {
      if (!deleting.contains(id)) {
        assertThat(listed).as(message + ": lost").contains(id);
      }
    }
    assertThat(deleted).as(message + ": returned").noneMatch(listed::contains);
  }

  /** Another writer: takes all free space. */
  private static void fill(Path file) throws IOException {
    byte[] block = new byte[64 << 10];
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int size = block.length; size >= 512; size /= 2) {
        try {
          while (true) {
            out.write(block, 0, size);
          }
        } catch (IOException full) {
          // Smaller pieces may still fit.
        }
      }
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }
}
