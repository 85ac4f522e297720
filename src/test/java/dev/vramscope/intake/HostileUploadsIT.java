package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.TestData;
import dev.vramscope.format.FormatException;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.Tags;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Uploads all hostile files: each is rejected or accepted as the INDEX of the files requires. */
class HostileUploadsIT {
  /** Valid files, and files that are accepted with a finding. */
  private static final Set<String> ACCEPTED =
      Set.of("h13", "h20", "h38", "h56", "h60", "h61", "h62");

  /** Files that the INDEX allows to be rejected or to be accepted with a finding. */
  private static final Set<String> EITHER =
      Set.of("h39", "h40", "h46", "h47", "h52", "h55", "h57", "h64");

  /** Text required in the exception message. */
  private static final Map<String, String> MESSAGES =
      Map.ofEntries(
          Map.entry("h01", "GLOBAL"),
          Map.entry("h02", "STACK_GLOBAL"),
          Map.entry("h04", "opcode STRING"),
          Map.entry("h06", "EXT1"),
          Map.entry("h07", "PERSID"),
          Map.entry("h08", "BINPERSID"),
          Map.entry("h15", "00 00"),
          Map.entry("h16", "compressed twice"),
          Map.entry("h19", "more than one file"),
          Map.entry("h48", "empty"),
          Map.entry("h49", "Git LFS pointer"),
          Map.entry("h50", "HTML"),
          Map.entry("h51", "torch.save"),
          Map.entry("h65", "pprof"),
          Map.entry("h66", "10 ff ff"),
          Map.entry("h67", "pprof"),
          Map.entry("h71", "text"),
          Map.entry("h72", "out-of-memory message"),
          Map.entry("h74", "RMM"),
          Map.entry("h75", "allocator's log"));

  @TempDir Path folder;
  private IntakeFixture fixture;

  @BeforeEach
  void open() {
    fixture = new IntakeFixture(folder);
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
  }

  @TestFactory
  List<DynamicTest> handlesEveryFileAsIndexRequires() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : TestData.files("hostile")) {
      String name = file.getFileName().toString();
      if (name.startsWith("h")) {
        tests.add(DynamicTest.dynamicTest(name, () -> check(file, name.substring(0, 3))));
      }
    }
    return tests;
  }

  @Test
  void validUploadWorksAfterHostileOnes() throws Exception {
    for (Path file : TestData.files("hostile")) {
      try {
        upload(file);
      } catch (FormatException | IOException rejected) {
        assertTrue(String.valueOf(rejected.getMessage()).length() > 10);
      }
    }
    Path good = TestData.file("snapshots/train_33_events.pickle");
    assertTrue(fixture.store().load(upload(good).snapshot().id()).isPresent());
    assertEquals(0, spoolFileCount());
  }

  private void check(Path file, String number) {
    // The timeout only turns a hang into a failure.
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          long before = fixture.store().count(SnapshotFilter.newest(0));
          if (ACCEPTED.contains(number)) {
            SaveResult saved = upload(file);
            assertTrue(fixture.store().load(saved.snapshot().id()).isPresent());
          } else if (EITHER.contains(number)) {
            try {
              upload(file);
            } catch (FormatException rejected) {
              assertEquals(before, fixture.store().count(SnapshotFilter.newest(0)));
            }
          } else {
            FormatException rejected =
                assertThrows(FormatException.class, () -> upload(file), number);
            String message = String.valueOf(rejected.getMessage());
            assertTrue(message.contains(MESSAGES.getOrDefault(number, "")), message);
            assertEquals(before, fixture.store().count(SnapshotFilter.newest(0)));
          }
          assertEquals(0, spoolFileCount());
        });
  }

  private SaveResult upload(Path file) throws IOException, FormatException {
    try (InputStream body = new BufferedInputStream(Files.newInputStream(file))) {
      return fixture
          .intake()
          .accept(
              body,
              new UploadRequest(
                  file.getFileName().toString(), Tags.NONE, DuplicateTags.KEEP, Files.size(file)));
    }
  }

  private int spoolFileCount() throws IOException {
    try (var files = Files.list(folder.resolve("spool"))) {
      return files.toList().size();
    }
  }
}
