package dev.vramscope.web;

import dev.vramscope.analysis.SnapshotHistory;
import dev.vramscope.analysis.SnapshotResults;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.stacks.ShownFrames;
import dev.vramscope.budget.Budget;
import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.explain.LogExplanation;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.export.ExportSizes;
import dev.vramscope.format.export.LargeFile;
import dev.vramscope.inspection.AllocationColour;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.intake.LogContent;
import dev.vramscope.intake.SnapshotFile;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.report.Report;
import dev.vramscope.report.ReportFormat;
import dev.vramscope.report.SnapshotReport;
import dev.vramscope.whatif.replays.KnownReplays;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A process that reads large files and asks for all that pages and reports show. It prints a line
 * for each file: {@code COUNT cpuMillis heapMiB outcome}.
 */
final class LargeFileAnalyses {
  /** A report is read by people, whatever is in the file. */
  private static final int MOST_REPORT_LENGTH = 1_000_000;

  private LargeFileAnalyses() {}

  /** The arguments are a folder for the file, how many there are of each count, and the counts. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]).resolve("large.pickle");
    int size = Integer.parseInt(arguments[1]);
    for (String count : List.of(arguments).subList(2, arguments.length)) {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
        LargeFile.write(LargeFile.Count.valueOf(count), size, out);
      }
      long start = cpuMillis();
      Outcome outcome = outcome(file);
      System.out.printf(
          Locale.ROOT,
          "%s %d %d %s%n",
          count,
          cpuMillis() - start,
          outcome.heapBytes >> 20,
          outcome.text);
      Files.delete(file);
    }
  }

  private record Outcome(long heapBytes, String text) {}

  private static Outcome outcome(Path file) throws IOException {
    long before = heapBytes();
    try {
      List<Object> kept = answers(file);
      long heap = heapBytes() - before;
      return new Outcome(heap, kept.isEmpty() ? "nothing" : "answered");
    } catch (FormatException refused) {
      return new Outcome(0, "refused: " + refused.getMessage());
    } catch (OutOfMemoryError full) {

      return new Outcome(0, "out of memory in " + Arrays.stream(full.getStackTrace()).findFirst());
    }
  }

  /** What the service keeps for the pages of a device, and what it computes for each request. */
  private static List<Object> answers(Path file) throws IOException, FormatException {
    SnapshotFile read = SnapshotFile.read(file, ReadLimits.defaults());
    if (read.snapshot().isEmpty()) {
      try (Reader log = LogContent.open(Files.newInputStream(file))) {
        return List.of(LogExplanation.of(LogExcerpt.read(log)));
      }
    }
    Snapshot snapshot = read.snapshot().get();
    List<Object> kept = new ArrayList<>();
    SnapshotHistory history = SnapshotHistory.of(snapshot);
    kept.add(SnapshotResults.of(history));
    SnapshotInspection loaded = SnapshotInspection.of(history, List::of, _ -> KnownReplays.NONE);
    kept.add(loaded);
    for (ShownFrames shown : ShownFrames.values()) {
      loaded.callTree(shown);
    }
    DeviceInspection device = loaded.main().orElseThrow();
    device.lifetimeIndex();
    device.segmentHistory();
    device.peakSites();
    device.fragmentation();
    device.summary();
    device.sites();
    device.steps();
    device.stepLane();
    device.annotationRanges();
    device.privatePools();
    device.missingData();
    device.liveAtEnd();
    for (AllocationColour colour : AllocationColour.values()) {
      device.groups(colour);
    }
    device.moments().ledger(DeviceEvidence.NONE);
    for (Budget.Moment moment : device.moments().withBudget()) {
      device.moments().budget(moment, 0, DeviceEvidence.NONE);
    }
    device.failures().hypothetical(1L << 30, 0, DeviceEvidence.NONE);
    if (!device.device().trace().ooms().isEmpty()) {
      device.failures().explanation(0, DeviceEvidence.NONE, ReplayEffort.QUICK);
    }
    writeReport(device);
    ExportSizes sizes = ExportSizes.of(snapshot);
    kept.add(List.of(sizes.jsonLines(), sizes.csv(), sizes.torchPickle()));
    return kept;
  }

  private static void writeReport(DeviceInspection device) {
    Report report =
        SnapshotReport.of("large.pickle", device, DeviceEvidence.NONE, ReplayEffort.FULL);
    for (ReportFormat format : ReportFormat.values()) {
      int length = format.write(report).length();
      if (length > MOST_REPORT_LENGTH) {
        throw new IllegalStateException("A report has " + length + " characters.");
      }
    }
  }

  private static long heapBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static long cpuMillis() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getProcessCpuTime()
        / 1_000_000;
  }
}
