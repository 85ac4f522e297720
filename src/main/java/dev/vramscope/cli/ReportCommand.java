package dev.vramscope.cli;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Option;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.intake.LogContent;
import dev.vramscope.intake.RejectedContentException;
import dev.vramscope.intake.SnapshotFile;
import dev.vramscope.model.ByteSize;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.report.LogReport;
import dev.vramscope.report.Report;
import dev.vramscope.report.SnapshotReport;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes what a snapshot or a log says as one document, without a server. */
public final class ReportCommand implements Command {
  private static final String DEVICE = "--device";
  private static final String TOTAL = "--total";
  private static final String NO_REPLAYS = "--no-replays";

  private static final Description DESCRIPTION =
      new Description(
          "report",
          "Writes what a snapshot or a log says: why a request failed and what would have helped",
          "FILE",
          "FILE is a snapshot of any supported format, a device memory profile of JAX, or a log."
              + " Without an option, the report is text on the standard output.",
          "report snapshot.pickle --html report.html",
          List.of(
              Option.valued("--html", "OUT", "Writes one HTML file with everything inside"),
              Option.flag("--text", "Writes plain text, as without an option"),
              Option.flag("--markdown", "Writes Markdown, for an issue tracker"),
              Option.flag("--json", "Writes JSON"),
              Option.valued(
                  DEVICE, "N", "Reports on this device, not on the first with a failed request"),
              Option.valued(
                  TOTAL,
                  "SIZE",
                  "The size of the device, such as 80GiB; by default what the file says"),
              Option.flag(
                  NO_REPLAYS,
                  "Does not replay a long recording under other settings, which takes a few"
                      + " seconds")));

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    ReportOutput output = ReportOutput.of(arguments, "--html, --text, --markdown and --json");
    Path file = InputFile.of(arguments.operand());
    output.write(report(file, arguments), out);
    return DONE;
  }

  private static Report report(Path file, Arguments arguments) throws IOException {
    String name = String.valueOf(file.getFileName());
    try {
      SnapshotFile content = SnapshotFile.read(file, ReadLimits.defaults());
      if (content.snapshot().isEmpty()) {
        return logReport(name, file);
      }
      Report report = report(name, content.snapshot().get(), arguments);
      return content.isText() ? report.withAdviceOf(logReport(name, file)) : report;
    } catch (RejectedContentException rejected) {
      throw RejectedFile.of(file, rejected.formatException());
    } catch (FormatException rejected) {
      throw RejectedFile.of(file, rejected);
    }
  }

  private static Report logReport(String name, Path file) throws IOException, FormatException {
    try (Reader log = LogContent.open(Files.newInputStream(file))) {
      return LogReport.read(name, log);
    }
  }

  private static Report report(String name, Snapshot snapshot, Arguments arguments)
      throws IOException {
    DeviceInspection device =
        device(SnapshotInspection.of(snapshot), Optional.ofNullable(arguments.value(DEVICE)));
    Optional<String> total = Optional.ofNullable(arguments.value(TOTAL));
    OptionalLong size =
        total.isPresent() ? OptionalLong.of(size(total.get())) : OptionalLong.empty();
    return SnapshotReport.of(
        name, device, DeviceEvidence.ofSize(size), ReplayEffort.of(!arguments.has(NO_REPLAYS)));
  }

  private static long size(String text) {
    try {
      return ByteSize.parse(text);
    } catch (IllegalArgumentException notASize) {
      throw new UsageException(TOTAL + ": " + notASize.getMessage());
    }
  }

  /** The chosen device; without a choice, the one that pages show first. */
  private static DeviceInspection device(SnapshotInspection snapshot, Optional<String> choice)
      throws IOException {
    if (choice.isPresent()) {
      return snapshot.devices().stream()
          .filter(device -> Integer.toString(device.ordinal()).equals(choice.get()))
          .findFirst()
          .orElseThrow(
              () ->
                  new UsageException(
                      "The file has no device "
                          + choice.get()
                          + ". It has: "
                          + snapshot.devices().stream().map(DeviceInspection::ordinal).toList()
                          + "."));
    }
    return snapshot
        .main()
        .orElseThrow(
            () ->
                new IOException(
                    "The snapshot has no device: no segment and no event was recorded."));
  }
}
