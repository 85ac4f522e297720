package dev.vramscope.store.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.store.TestUploads;
import dev.vramscope.store.codec.Crc32c;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OriginalFilesTest {
  private static final String SHA256 = TestUploads.sha256(new byte[] {1});

  @TempDir Path folder;

  @Test
  void interruptedRetractionLeavesNoSidecarWithoutOriginal() throws Exception {
    OriginalFiles files = OriginalFiles.open(folder.resolve("originals"));
    Path compressed = Files.write(folder.resolve("compressed"), new byte[] {2});
    Sidecar sidecar = Sidecar.adopted(SHA256, 1, Instant.EPOCH).withFile(1, Crc32c.of(compressed));
    files.store(sidecar, compressed);
    // A folder that is not empty cannot be deleted: the retraction ends here.
    Path original = files.original(SHA256);
    Files.delete(original);
    Files.createDirectories(original.resolve("x"));
    assertThatThrownBy(() -> files.retract(SHA256)).isInstanceOf(IOException.class);
    assertThat(files.list().sidecars()).isEmpty();

    Files.delete(original.resolve("x"));
    Files.delete(original);
    assertThat(files.list().unfinished()).containsExactly(SHA256);
    files.finishUpload(SHA256);
    assertThat(files.list().unfinished()).isEmpty();
    assertThat(files.list().sidecars()).isEmpty();
  }
}
