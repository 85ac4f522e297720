package dev.vramscope.postmortem;

import dev.vramscope.TestData;
import dev.vramscope.analysis.ActiveBytes;
import dev.vramscope.analysis.FrameRules;
import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.analysis.RecordedDevice;
import dev.vramscope.analysis.StackClasses;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.RecordedRun;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The recorded runs of {@code src/test/data/ooms} and {@code programs}. */
final class FailureCases {
  private static final Pattern TOTAL = Pattern.compile("\"totalBytes\": *(\\d+)");

  private FailureCases() {}

  /**
   * One recorded run.
   *
   * @param name folder and case, such as {@code ooms/spike}
   * @param totalBytes the size of the device, which the snapshot does not contain
   */
  record FailureCase(
      String name,
      Snapshot snapshot,
      Lifetimes lifetimes,
      StackClasses stacks,
      OptionalLong totalBytes) {
    DeviceSnapshot device() {
      return snapshot.devices().getFirst();
    }

    boolean hasFailed() {
      return !device().trace().ooms().isEmpty();
    }

    /** The report of the last failure. */
    OomReport report(OptionalLong total) {
      OomEvent oom = device().trace().ooms().getLast();
      RecordedDevice recorded =
          new RecordedDevice(device(), ActiveBytes.of(device(), lifetimes), total);
      return OomReport.of(snapshot, device(), lifetimes, oom, recorded.atFailure(oom));
    }

    /** Replays on the part of the device that others did not hold. */
    Tries tries(OomReport report) {
      OomEvent oom = device().trace().ooms().getLast();
      long available = report.ledger().reservedBytes() + oom.deviceFreeBytes();
      long total = totalBytes.orElse(available);
      return FailureTries.run(
          snapshot,
          device(),
          RecordedRun.of(snapshot, device(), lifetimes),
          oom.event(),
          DeviceSize.of(total, total - available),
          new Progress());
    }

    Explanation explanation(OptionalLong total) {
      OomReport report = report(total);
      return Explanation.of(report, device(), lifetimes, stacks, Optional.of(tries(report)));
    }
  }

  /** The names of all cases of a folder, sorted. */
  static List<String> names(String folder) {
    try (Stream<Path> cases = Files.list(TestData.folder(folder))) {
      return cases
          .filter(Files::isDirectory)
          .map(path -> folder + "/" + path.getFileName())
          .sorted()
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static FailureCase read(String name) {
    Path folder = TestData.folder(name);
    try (InputStream file = Files.newInputStream(folder.resolve("snapshot.pickle.gz"));
        InputStream pickle = new BufferedInputStream(new GZIPInputStream(file))) {
      Snapshot snapshot = TorchPickleReader.read(pickle, ReadLimits.defaults());
      Matcher total = TOTAL.matcher(Files.readString(folder.resolve("truth.json")));
      return new FailureCase(
          name,
          snapshot,
          Lifetimes.of(snapshot.devices().getFirst()),
          FrameRules.standard().classify(snapshot.stacks()),
          total.find() ? OptionalLong.of(Long.parseLong(total.group(1))) : OptionalLong.empty());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (FormatException failure) {
      throw new AssertionError(name, failure);
    }
  }
}
