package dev.vramscope.device.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import jcuda.CudaException;
import jcuda.driver.JCudaDriver;

/**
 * JCuda's own library. JCuda unpacks it from the class path into the folder {@code java.io.tmpdir},
 * under a name that everybody can guess, and loads whatever lies there already. So it is sent to a
 * folder that only this user can write to, which goes away again at once: a loaded library needs no
 * file.
 */
final class JcudaLibrary {
  private static final String TEMPORARY_FOLDER = "java.io.tmpdir";

  private JcudaLibrary() {}

  /**
   * Loads it, unless it is loaded.
   *
   * @throws DriverTrouble if it cannot be loaded; it is not tried again in this process
   */
  static void load() throws DriverTrouble {
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
      throw trouble(e);
    } catch (ClassNotFoundException | LinkageError e) {
      throw trouble(e);
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

  private static DriverTrouble trouble(Throwable e) {
    return new DriverTrouble(
        new DriverStatus.Failed(
            "loading JCuda's library",
            "%s (if the temporary folder forbids running programs, choose another with"
                    .formatted(firstLines(e))
                + " -Djava.io.tmpdir=FOLDER; restart in any case)."));
  }

  /** JCuda's message is pages long, the reasons are in the lines that name an error. */
  private static String firstLines(Throwable e) {
    return String.valueOf(e.getMessage())
        .lines()
        .filter(line -> line.contains("Error:") || line.contains("Exception:"))
        .findFirst()
        .orElse(e.toString().lines().findFirst().orElseThrow());
  }
}
