package dev.vramscope.device.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import jcuda.CudaException;
import jcuda.driver.JCudaDriver;

/**
 * Loads JCuda's native library. JCuda unpacks it from the class path into the folder {@code
 * java.io.tmpdir} under a fixed name, and if the file exists already, loads it whatever it
 * contains. So {@code java.io.tmpdir} is set to a new folder that only this user can write to while
 * the library is loaded. The folder is then deleted: a loaded library does not need its file.
 */
final class JcudaLibrary {
  private static final String TEMPORARY_FOLDER = "java.io.tmpdir";

  private JcudaLibrary() {}

  /**
   * Loads the library, unless it is already loaded.
   *
   * @throws DriverUnavailableException if it cannot be loaded; a later call in this process fails,
   *     too
   */
  static void load() throws DriverUnavailableException {
    String usual = System.getProperty(TEMPORARY_FOLDER);
    try {
      Path folder = Files.createTempDirectory("vramscope-jcuda-");
      try {
        System.setProperty(TEMPORARY_FOLDER, folder.toString());
        Class.forName(JCudaDriver.class.getName());
      } finally {
        System.setProperty(TEMPORARY_FOLDER, usual);
        delete(folder);
      }
    } catch (IOException | UncheckedIOException | CudaException e) {
      throw unavailable(e);
    } catch (ClassNotFoundException | LinkageError e) {
      throw unavailable(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  private static DriverUnavailableException unavailable(Throwable e) {
    return new DriverUnavailableException(
        new DriverStatus.Failed(
            "loading JCuda's library",
            "%s (if the temporary folder is mounted noexec, choose another with"
                    .formatted(firstLines(e))
                + " -Djava.io.tmpdir=FOLDER; restart in any case)."));
  }

  /** JCuda's message is pages long; the causes are in the lines that name an error. */
  private static String firstLines(Throwable e) {
    return String.valueOf(e.getMessage())
        .lines()
        .filter(line -> line.contains("Error:") || line.contains("Exception:"))
        .findFirst()
        .orElse(e.toString().lines().findFirst().orElseThrow());
  }
}
