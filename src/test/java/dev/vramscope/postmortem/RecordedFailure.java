package dev.vramscope.postmortem;

import dev.vramscope.TestData;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.explanation.Explanation;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A failure of PyTorch whose truth is known: a folder with {@code snapshot.pickle.gz} and {@code
 * truth.json}.
 */
public record RecordedFailure(String name, Snapshot snapshot, JsonNode truth) {
  public static Stream<RecordedFailure> all(String folder) {
    try (Stream<Path> cases = Files.list(TestData.folder(folder))) {
      return cases.filter(Files::isDirectory).sorted().map(RecordedFailure::read).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One failure of a folder. */
  static RecordedFailure named(String folder, String name) {
    return read(TestData.folder(folder).resolve(name));
  }

  private static RecordedFailure read(Path folder) {
    Path file = folder.resolve("snapshot.pickle.gz");
    try (InputStream in =
        new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file)))) {
      return new RecordedFailure(
          folder.getFileName().toString(),
          TorchPickleReader.read(in, ReadLimits.defaults()),
          JsonMapper.shared().readTree(Files.readString(folder.resolve("truth.json"))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (FormatException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  /** The report of a reader who knows the size of the device. */
  OomReport report() {
    return report(OptionalLong.of(truth.path("totalBytes").asLong()));
  }

  OomReport report(OptionalLong totalBytes) {
    DeviceSnapshot device = snapshot.devices().getFirst();
    OomEvent oom = device.trace().ooms().get(truth.path("failure").asInt(0));
    RecordedHistory history = RecordedHistory.of(snapshot.stacks(), device);
    RecordedDevice recorded = new RecordedDevice(device, history.active(), totalBytes);
    return OomAnalysis.of(snapshot, device, history, oom, recorded.atFailure(oom));
  }

  /** What a reader is told who knows the size of the device, without replays. */
  Explanation explanation() {
    DeviceSnapshot device = snapshot.devices().getFirst();
    RecordedHistory history = RecordedHistory.of(snapshot.stacks(), device);
    StackClasses stacks = FrameRules.standard().classify(snapshot.stacks());
    return Explanation.of(
        report(),
        device,
        history,
        stacks,
        () -> Uses.of(history.lifetimes(), stacks, device.trace().userMetadata()),
        new ReplayStatus.Pending());
  }

  @Override
  public String toString() {
    return name;
  }
}
