package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vramscope.store.TestUploads;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.files.StoreUnavailableException.Reason;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.Tags;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

/** A data folder on a 64 MiB disk that becomes full. Requires permission to mount. */
class DiskFullIT {
  @TempDir Path folder;
  private Path disk;

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.toString()),
        "skipped: mounting a tmpfs is not permitted");
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", disk.toString());
  }

  /**
   * With a reserve, the store rejects the upload; without one, H2 itself runs into the full disk.
   */
  @ParameterizedTest
  @ValueSource(ints = {16, 0})
  void recoversFromFullDiskWithoutLosingSnapshots(int reserveMegabytes) throws Exception {
    List<SaveResult> stored = new ArrayList<>();
    Path ballast = Files.write(disk.resolve("ballast"), new byte[16 << 20]);
    DataSize reserve = DataSize.ofMegabytes(reserveMegabytes);
    try (IntakeFixture fixture = new IntakeFixture(disk, reserve, IntakeFixture.LIMITS)) {
      StoreUnavailableException full = fill(fixture, stored);
      assertEquals(Reason.DISK_FULL, full.reason(), String.valueOf(full.getMessage()));
      assertTrue(stored.size() > 3, stored.size() + " uploads fitted");
      assertEquals(0, TestUploads.spoolFileCount(disk));
      if (reserveMegabytes == 0) {
        // Not even a deletion fits on the disk: free some space first.
        Files.delete(ballast);
      }
      // The service works again.
      while (stored.size() > 3) {
        assertTrue(fixture.store().delete(stored.removeFirst().snapshot().id()));
      }
      for (SaveResult each : stored) {
        assertComplete(fixture, each);
      }
    }
    try (IntakeFixture fixture = new IntakeFixture(disk, reserve, IntakeFixture.LIMITS)) {
      for (SaveResult each : stored) {
        assertComplete(fixture, each);
      }
      stored.add(upload(fixture, 1_000, 100_000));
      assertComplete(fixture, stored.getLast());
    }
  }

  /** What is required is what the file needs, not what a large one might. */
  @Test
  void smallFilesAreStoredInTheLastMegabytes() throws Exception {
    try (IntakeFixture fixture =
        new IntakeFixture(disk, DataSize.ofMegabytes(1), IntakeFixture.LIMITS)) {
      long free = Files.getFileStore(disk).getUsableSpace();
      Files.write(disk.resolve("ballast"), new byte[(int) free - (4 << 20)]);
      assertComplete(fixture, upload(fixture, 1, 1000));
    }
  }

  private static StoreUnavailableException fill(IntakeFixture fixture, List<SaveResult> stored)
      throws Exception {
    for (int i = 0; i < 100; i++) {
      try {
        stored.add(upload(fixture, i, 1_000_000));
      } catch (StoreUnavailableException full) {
        return full;
      }
    }
    throw new AssertionError("100 MB fitted on 64 MiB");
  }

  private static SaveResult upload(IntakeFixture fixture, int seed, int length) throws Exception {
    byte[] file = JsonSnapshots.file(seed, 200, length);
    return fixture
        .intake()
        .accept(
            new ByteArrayInputStream(file),
            new UploadRequest("f", Tags.NONE, DuplicateTags.KEEP, file.length));
  }

  private static void assertComplete(IntakeFixture fixture, SaveResult saved) throws IOException {
    String id = saved.snapshot().id();
    assertTrue(fixture.store().load(id).isPresent());
    try (OriginalFile original = fixture.store().original(id).orElseThrow()) {
      assertEquals(saved.snapshot().sha256(), TestUploads.sha256(original.stream().readAllBytes()));
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
