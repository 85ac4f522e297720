package dev.vramscope;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The project's own test data in {@code src/test/data/}. Paths name the unpacked file: one that is
 * stored as {@code NAME.zst} is unpacked below {@code target/testdata/} first. Missing data fails
 * the test that needs it.
 */
public final class TestData {
  private static final String PACKED = ".zst";
  private static final Path ROOT = Path.of("src", "test", "data").toAbsolutePath();
  private static final Path SAMPLES = Path.of("src", "main", "resources", "samples");
  private static final Path UNPACKED = Path.of("target", "testdata").toAbsolutePath();

  private TestData() {}

  /** A folder as it is stored, so that large files in it are packed. */
  public static Path folder(String path) {
    return assertThat(ROOT.resolve(path)).isDirectory().actual();
  }

  /** A file, unpacked. */
  public static Path file(String path) {
    Path plain = ROOT.resolve(path);
    return Files.exists(plain) ? plain : unpack(path);
  }

  /** The files of a folder, unpacked and sorted by name; folders in it are left out. */
  public static List<Path> files(String folder) {
    try (var files = Files.list(folder(folder))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .map(name -> name.endsWith(PACKED) ? name.substring(0, name.length() - 4) : name)
          .sorted()
          .map(name -> file(folder + "/" + name))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Our own valid snapshots as pickles: the small one in the test data, and the samples. */
  public static List<Path> snapshots() {
    List<Path> snapshots = new ArrayList<>(files("snapshots"));
    try (var samples = Files.list(SAMPLES)) {
      samples
          .filter(file -> file.toString().endsWith(".gz"))
          .sorted()
          .map(TestData::unzip)
          .forEach(snapshots::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return snapshots;
  }

  private static Path unzip(Path sample) {
    String name = sample.getFileName().toString().replace(".gz", "");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(sample))) {
      return write(in, UNPACKED.resolve("samples").resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path unpack(String path) {
    Path packed = assertThat(ROOT.resolve(path + PACKED)).isRegularFile().actual();
    Path unpacked = UNPACKED.resolve(path);
    try {
      if (Files.exists(unpacked)
          && Files.getLastModifiedTime(unpacked).compareTo(Files.getLastModifiedTime(packed))
              >= 0) {
        return unpacked;
      }
      try (InputStream in = new ZstdInputStream(Files.newInputStream(packed))) {
        return write(in, unpacked);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path write(InputStream content, Path file) throws IOException {
    Path folder = Files.createDirectories(file.getParent());
    // Other test processes may unpack the same file at the same time.
    Path temporary = Files.createTempFile(folder, "unpacking", null);
    Files.copy(content, temporary, StandardCopyOption.REPLACE_EXISTING);
    return Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
