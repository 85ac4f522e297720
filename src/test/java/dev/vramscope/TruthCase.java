package dev.vramscope;

import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A recorded run and what PyTorch's own allocator made of it: {@code src/test/data/ooms}, {@code
 * whatif} and {@code programs}. Their READMEs describe the truth.
 */
public record TruthCase(String name, Path folder, Snapshot snapshot, JsonNode truth) {
  /** All cases of a family, sorted by name. */
  public static List<TruthCase> all(String family) {
    return all(TestData.folder(family));
  }

  /** All cases in a folder, sorted by name. */
  public static List<TruthCase> all(Path folder) {
    try (var folders = Files.list(folder)) {
      return folders.filter(Files::isDirectory).sorted().map(TruthCase::read).toList();
    } catch (Exception e) {
      throw new IllegalStateException("Cannot read " + folder, e);
    }
  }

  /** One case, such as {@code ooms/spike}. */
  public static TruthCase of(String path) {
    return read(TestData.folder(path));
  }

  private static TruthCase read(Path folder) {
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(folder.resolve("snapshot.pickle.gz")))) {
      return new TruthCase(
          folder.getFileName().toString(),
          folder,
          TorchPickleReader.read(in, ReadLimits.defaults()),
          JsonMapper.shared().readTree(folder.resolve("truth.json")));
    } catch (Exception e) {
      throw new IllegalStateException("Cannot read " + folder, e);
    }
  }

  /** The device that the case is about. */
  public DeviceSnapshot device() {
    return snapshot.devices().getFirst();
  }

  /** A number of the truth; {@code missing} if it is absent. */
  public long number(String member, long missing) {
    return truth.path(member).asLong(missing);
  }

  @Override
  public String toString() {
    return name;
  }
}
