package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.cause.Candidate;
import dev.vramscope.postmortem.cause.Rejection;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures of a simulated training run, with the final state of the failure. */
class GeneratedOomTest {
  private static final long DEVICE_BYTES = 80L << 30;
  @TempDir Path folder;

  private OomReport report(String... options) throws IOException, InterruptedException {
    Path generator = TestData.file("bench/gen_snapshot.py");
    Path file = folder.resolve("snapshot.pickle");
    List<String> command =
        new ArrayList<>(
            List.of("python3", generator.toString(), "--stacks", "50", "--out", file.toString()));
    command.addAll(List.of(options));
    int status;
    try {
      status =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("output").toFile())
              .start()
              .waitFor();
    } catch (IOException noPython) {
      return Assumptions.abort("skipped: python3 does not start: " + noPython.getMessage());
    }
    assertThat(status).as(Files.readString(folder.resolve("output"))).isZero();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      Snapshot snapshot = TorchPickleReader.read(in, ReadLimits.defaults());
      DeviceSnapshot device = snapshot.devices().getFirst();
      OomEvent oom = device.trace().ooms().getFirst();
      Lifetimes lifetimes = Lifetimes.of(device);
      RecordedDevice recorded =
          new RecordedDevice(
              device, ActiveBytes.of(device, lifetimes), OptionalLong.of(DEVICE_BYTES));
      return OomAnalysis.of(
          snapshot,
          device,
          RecordedHistory.of(snapshot.stacks(), device),
          oom,
          recorded.atFailure(oom));
    } catch (FormatException exception) {
      throw new AssertionError(exception);
    }
  }

  private static void checkAgainstTheFinalState(OomReport report) {
    long free = 0;
    long largest = 0;
    for (Segment segment : report.state().segments()) {
      boolean isUsable =
          segment.kind() == report.request().kind()
              && segment.stream() == report.request().stream();
      for (var block : segment.blocks()) {
        if (block.state() == BlockState.INACTIVE) {
          free += block.bytes();
          largest = isUsable ? Math.max(largest, block.bytes()) : largest;
        }
      }
    }
    assertThat(report.state().findings()).isEmpty();
    assertThat(report.free().cached()).isEqualTo(free);
    assertThat(report.free().largestUsable()).isEqualTo(largest);
    long missing = -1;
    for (Candidate candidate : report.candidates()) {
      assertThat(candidate.missingBytes()).as("nearest first").isGreaterThanOrEqualTo(missing);
      missing = candidate.missingBytes();
    }
    long rows = ((Amount.Known) report.ledger().remainder()).bytes();
    for (var row : report.ledger().rows()) {
      rows += row.amount() instanceof Amount.Known(long bytes) ? bytes : 0;
    }
    assertThat(rows).isEqualTo(DEVICE_BYTES);
  }

  @Test
  void growingBatchFailsByFragmentation() throws IOException, InterruptedException {
    OomReport report = report("--events", "8000", "--seed", "1");
    checkAgainstTheFinalState(report);
    assertThat(report.verdict().cause()).isEqualTo(Cause.FRAGMENTATION);
    assertThat(report.verdict().certainty()).isEqualTo(Certainty.CERTAIN);
    assertThat(report.candidates().getFirst().rejection())
        .isEqualTo(
            new Rejection.TooSmall(
                report.request().roundedBytes() - report.free().largestUsable()));
    assertThat(report.verdict().sentence())
        .contains("the allocator had released 60 MiB of cached memory just before");
  }

  @Test
  void lostEventsDoNotChangeTheCause() throws IOException, InterruptedException {
    OomReport whole = report("--events", "8000", "--seed", "1");
    OomReport ring = report("--events", "8000", "--seed", "1", "--ring", "1500");
    checkAgainstTheFinalState(ring);
    assertThat(ring.verdict().cause()).isEqualTo(whole.verdict().cause());
    // The lost events could have shown a leak or a spike.
    assertThat(ring.verdict().certainty()).isEqualTo(Certainty.LIKELY);
    assertThat(ring.candidates().stream().map(Candidate::block))
        .isEqualTo(whole.candidates().stream().map(Candidate::block).toList());
  }

  @Test
  void failsByTooMuchLiveMemoryWithExpandableSegments() throws IOException, InterruptedException {
    OomReport report = report("--events", "8000", "--seed", "2", "--expandable");
    checkAgainstTheFinalState(report);
    assertThat(report.verdict().cause()).isEqualTo(Cause.TOO_MUCH_LIVE);
    assertThat(report.candidates())
        .anySatisfy(
            candidate ->
                assertThat(candidate.rejection()).isInstanceOf(Rejection.ExpandableTail.class));
  }
}
