package dev.vramscope.device.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Compiles a few lines of C to a shared library that replaces a missing one. */
final class SmallLibrary {
  private SmallLibrary() {}

  /** Compiles the source; skips the calling test if there is no C compiler. */
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
      return Assumptions.abort("skipped: no gcc");
    }
    if (compiler.waitFor() != 0) {
      throw new AssertionError("gcc cannot compile " + code);
    }
    return library;
  }
}
