package dev.vramscope.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MissingDataTest {
  private final List<Finding> readerFindings = new ArrayList<>();
  private Optional<AllocatorSettings> settings = Optional.empty();

  private MissingData missingData(DeviceSnapshot device) {
    Snapshot snapshot =
        new Snapshot(
            new Origin("test", "test", Trace.NO_TIME),
            settings,
            List.of(device),
            StackTable.EMPTY,
            readerFindings);
    Lifetimes lifetimes = Lifetimes.of(device);
    return MissingData.of(snapshot, device, lifetimes, ActiveBytes.of(device, lifetimes));
  }

  private static List<String> codes(MissingData missingData) {
    return missingData.findings().stream().map(Finding::code).toList();
  }

  private static Finding finding(MissingData missingData, String code) {
    return missingData.findings().stream()
        .filter(one -> one.code().equals(code))
        .findFirst()
        .orElseThrow();
  }

  private static Trace.Builder traceOf(int events) {
    Trace.Builder trace = new Trace.Builder();
    for (int i = 0; i < events; i++) {
      trace.add(TraceAction.SNAPSHOT, 0, 0);
    }
    return trace;
  }

  @Test
  void reportsAnEmptyTrace() {
    assertThat(codes(missingData(new DeviceSnapshot(0, List.of(), Trace.EMPTY, List.of()))))
        .containsExactly("trace-empty", "settings-unknown");
  }

  @Test
  void reportsBytesThatWereLiveBeforeTheRecording() {
    HistoryModel model = HistoryModel.of(11, 200);
    MissingData found = missingData(model.recordedFrom(120));
    assertThat(codes(found)).contains("live-before-recording", "stacks-missing", "times-missing");
    Finding finding = finding(found, "live-before-recording");
    assertThat(finding.message()).startsWith(ByteText.of(model.activeBytes(119)));
  }

  @Test
  void recordedOverflowIsCertainAndAFullRingBufferIsProbable() {
    DeviceSnapshot device = HistoryModel.of(11, 50).recordedFrom(0);
    assertThat(codes(missingData(device))).doesNotContain("ring-wrapped");
    settings = Optional.of(new AllocatorSettings(Map.of("trace_alloc_overflowed", "true")));
    assertThat(missingData(device).findings())
        .anySatisfy(finding -> assertThat(finding.message()).contains("was full"));
    settings =
        Optional.of(
            new AllocatorSettings(Map.of("trace_alloc_max_entries", "" + device.trace().size())));
    assertThat(missingData(device).findings())
        .anySatisfy(finding -> assertThat(finding.message()).contains("was probably full"));
  }

  @Test
  void traceOfARoundNumberOfEventsIsProbablyFull() {
    Trace.Builder trace = traceOf(100_000);
    DeviceSnapshot full = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    assertThat(codes(missingData(full))).contains("ring-wrapped");
    trace.add(TraceAction.SNAPSHOT, 0, 0);
    DeviceSnapshot more = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    assertThat(codes(missingData(more))).doesNotContain("ring-wrapped");
  }

  @Test
  void capacityThatTheTraceDoesNotReachIsNotFull() {
    Trace.Builder trace = traceOf(1000);
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    assertThat(codes(missingData(device))).contains("ring-wrapped");
    settings = Optional.of(new AllocatorSettings(Map.of("trace_alloc_max_entries", "100000")));
    assertThat(codes(missingData(device))).doesNotContain("ring-wrapped");
    settings = Optional.of(new AllocatorSettings(Map.of("trace_alloc_overflowed", "False")));
    assertThat(codes(missingData(device))).doesNotContain("ring-wrapped");
  }

  @Test
  void lossOfAHostedAllocatorIsTheOneThatItsRecorderCounted() {
    Trace.Builder trace = traceOf(1000);
    AllocatorFacts facts =
        new AllocatorFacts(
            AllocatorFamily.DIRECT,
            OptionalLong.of(1 << 30),
            OptionalLong.empty(),
            OptionalLong.empty(),
            true);
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of(), facts);
    assertThat(codes(missingData(device))).doesNotContain("ring-wrapped");
    assertThat(missingData(device).isPeakUncertain()).isFalse();
    readerFindings.add(new Finding(Severity.INFO, "ring-wrapped", "7 events were lost.", 7));
    assertThat(codes(missingData(device))).containsOnlyOnce("ring-wrapped");
    assertThat(missingData(device).findings()).noneMatch(each -> each.message().contains("ably"));
    assertThat(missingData(device).isPeakUncertain()).isTrue();
  }

  @Test
  void includesFindingsOfTheReaderMostSevereFirst() {
    readerFindings.add(new Finding(Severity.ERROR, "blocks-overlap", "Blocks overlap.", 2));
    MissingData found = missingData(new DeviceSnapshot(0, List.of(), Trace.EMPTY, List.of()));
    assertThat(codes(found)).containsExactly("blocks-overlap", "trace-empty", "settings-unknown");
  }

  @Test
  void bytesHaveAtMostTwoDecimals() {
    assertThat(ByteText.of(0)).isEqualTo("0 B");
    assertThat(ByteText.of(1)).isEqualTo("1 B");
    assertThat(ByteText.of(1024)).isEqualTo("1 KiB");
    assertThat(ByteText.of((1 << 20) - 1)).isEqualTo("1 MiB");
    assertThat(ByteText.of(1233125376L)).isEqualTo("1.15 GiB");
  }

  @Test
  void blockWithAStackButWithoutAnAllocationEventMeansLostEvents() {
    Trace.Builder trace = new Trace.Builder();
    trace.stack(trace.add(TraceAction.ALLOC, 1 << 21, 100), 1);
    MissingData found = missingData(withBlock(trace.build(), 1));
    Finding finding = finding(found, "events-lost");
    assertThat(finding.count()).isEqualTo(1);
    assertThat(finding.message())
        .startsWith(
            "The recording began before the first event of the trace: 1 block is live at the end (1"
                + " MiB) with a recorded stack");
    assertThat(found.isPeakUncertain()).isTrue();

    MissingData withoutStack = missingData(withBlock(trace.build(), StackTable.NONE));
    assertThat(codes(withoutStack)).doesNotContain("events-lost");
    assertThat(withoutStack.isPeakUncertain()).isFalse();
    assertThat(codes(missingData(withBlock(Trace.EMPTY, 1)))).doesNotContain("events-lost");
  }

  private static DeviceSnapshot withBlock(Trace trace, int stack) {
    long mib = 1 << 20;
    Block block = new Block(mib, mib, mib, BlockState.ALLOCATED, stack);
    Segment segment =
        new Segment(
            mib, mib, 0, PoolKind.LARGE, PoolId.DEFAULT, false, StackTable.NONE, List.of(block));
    return new DeviceSnapshot(0, List.of(segment), trace, List.of());
  }
}
