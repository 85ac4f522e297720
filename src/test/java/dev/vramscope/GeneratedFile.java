package dev.vramscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of the repository that a test generates, so that it stays true. {@code
 * -Dvramscope.update-docs=true} writes it again.
 */
public final class GeneratedFile {
  private GeneratedFile() {}

  /** Fails if the committed file has another content; writes it if that was asked for. */
  public static void verify(Path file, String content) throws IOException {
    if (Boolean.getBoolean("vramscope.update-docs")) {
      Files.writeString(file, content);
    }
    assertThat(Files.readString(file))
        .as("%s: write it again with -Dvramscope.update-docs=true", file)
        .isEqualTo(content);
  }
}
