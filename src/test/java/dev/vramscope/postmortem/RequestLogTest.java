package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.rmm.RmmLogReader;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.cause.Counterfactuals;
import dev.vramscope.postmortem.cause.Verdict;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A log of requests says what is live, and nothing of what the allocator held. */
class RequestLogTest {
  private static final long TOTAL = 80L << 30;

  private static OomReport report(OptionalLong total) throws IOException, FormatException {
    StringBuilder log = new StringBuilder("Thread,Time,Action,Pointer,Size,Stream\n");
    for (int i = 1; i <= 200; i++) {
      log.append("1,10:00:00.000001,allocate,0x%x,1048576,0x0\n".formatted(i << 20));
    }
    log.append("1,10:05:00.000001,allocate failure,0x0,1073741824,0x0\n");
    Snapshot snapshot =
        RmmLogReader.read(
            new ByteArrayInputStream(log.toString().getBytes(StandardCharsets.UTF_8)),
            ReadLimits.defaults());
    DeviceSnapshot device = snapshot.devices().getFirst();
    RecordedHistory history = RecordedHistory.of(snapshot.stacks(), device);
    RecordedDevice recorded =
        new RecordedDevice(device, history.active(), DeviceEvidence.ofSize(total));
    return OomAnalysis.of(
        snapshot,
        device,
        history,
        device.trace().ooms().getFirst(),
        recorded.atFailure(device.trace().ooms().getFirst()));
  }

  @Test
  void theCauseIsUnknown() throws IOException, FormatException {
    OomReport report = report(OptionalLong.empty());
    assertThat(report.verdict().cause()).isEqualTo(Verdict.Cause.UNKNOWN);
    assertThat(report.verdict().certainty()).isEqualTo(Certainty.UNDECIDED);
    assertThat(report.verdict().sentence())
        .contains("200 MiB was live")
        .doesNotContain("driver", "nothing is cached");
    assertThat(report.liveBytes()).isEqualTo(200L << 20);
    assertThat(report.counterfactuals().rows())
        .extracting(Counterfactuals.Row::answer)
        .containsOnly(Counterfactuals.Answer.UNKNOWN);
    assertThat(report.frees().cheapest().plans()).isEmpty();
  }

  @Test
  void theUnknownRowsAddUpToTheRestOfTheDevice() throws IOException, FormatException {
    Ledger ledger = report(OptionalLong.of(TOTAL)).ledger();
    assertThat(ledger.isReservedKnown()).isFalse();
    assertThat(ledger.reserved()).isInstanceOf(Ledger.Amount.Unknown.class);
    assertThat(ledger.amount(Ledger.Item.LIVE_REQUESTED))
        .isEqualTo(new Ledger.Amount.Known(200L << 20));
    assertThat(ledger.amount(Ledger.Item.CACHED_RELEASABLE))
        .isInstanceOf(Ledger.Amount.Unknown.class);
    assertThat(ledger.remainder()).isEqualTo(new Ledger.Amount.Known(TOTAL - (200L << 20)));
  }
}
