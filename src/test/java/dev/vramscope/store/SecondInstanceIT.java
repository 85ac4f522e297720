package dev.vramscope.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.VramscopeApplication;
import dev.vramscope.store.files.SpoolFile;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.Tags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts the service in a separate process on a data folder that is in use. */
class SecondInstanceIT {
  @TempDir Path folder;

  @Test
  void reportsFolderInUseWithoutStackTrace() throws Exception {
    try (StoreFixture first = new StoreFixture(folder)) {
      new TestUploads(first.spool())
          .save(first.store(), new RandomSnapshots(1).next(50), new byte[] {1}, Tags.NONE);
      SpoolFile upload = first.spool().create();
      Process second = start();
      String output = new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(1, second.waitFor(), output);
      assertTrue(
          output.contains("another vramscope process uses the data folder " + folder), output);
      assertTrue(output.contains("process id " + ProcessHandle.current().pid()), output);
      assertFalse(output.contains("\tat "), output);
      assertTrue(upload.path().toFile().exists(), "the spool of the first process was cleared");
      upload.close();
      assertEquals(1, first.store().count(SnapshotFilter.newest(0)));
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            VramscopeApplication.class.getName(),
            "--server.port=0",
            "--vramscope.data-dir=" + folder)
        .redirectErrorStream(true)
        .start();
  }
}
