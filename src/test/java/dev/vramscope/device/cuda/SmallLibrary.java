package dev.vramscope.device.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A shared library from a few lines of C, to stand in for one that is not here. */
final class SmallLibrary {
  private SmallLibrary() {}

  /** Compiles it; skips the calling test where there is no C compiler. */
  static Path of(Path folder, String name, String source) throws Exception {
    Path code = Files.writeString(folder.resolve("library.c"), source);
    Path library = folder.resolve(name);
    Process compiler;
    try {
      compiler =
          new ProcessBuilder(
                  "gcc",
                  "-shared",
                  "-fPIC",
                  "-Wl,-soname," + name,
                  "-o",
                  library.toString(),
                  code.toString())
              .inheritIO()
              .start();
    } catch (IOException none) {
      return Assumptions.abort("skipped: no gcc here");
    }
    if (compiler.waitFor() != 0) {
      throw new AssertionError("gcc does not take " + code);
    }
    return library;
  }
}
