package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.postmortem.cause.Candidate;
import dev.vramscope.postmortem.cause.Rejection;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OomReportTest {
  private static final long MIB = 1 << 20;
  private final List<Segment> segments = new ArrayList<>();
  private final Map<String, String> settings = new HashMap<>();
  private long address = 1L << 40;

  OomReportTest() {
    settings.put("max_split_size", "-1");
  }

  /** Positive numbers are live MiB, negative ones free MiB. */
  private void segment(long stream, PoolKind kind, PoolId pool, boolean expandable, long... mib) {
    List<Block> blocks = new ArrayList<>();
    long cursor = address;
    for (long size : mib) {
      long bytes = Math.abs(size) * MIB;
      blocks.add(
          size > 0
              ? new Block(cursor, bytes, bytes, BlockState.ALLOCATED, 0)
              : new Block(cursor, bytes, Block.UNKNOWN, BlockState.INACTIVE, 0));
      cursor += bytes;
    }
    segments.add(new Segment(address, cursor - address, stream, kind, pool, expandable, 0, blocks));
    address = cursor + 512 * MIB;
  }

  private void large(long... mib) {
    segment(0, PoolKind.LARGE, PoolId.DEFAULT, false, mib);
  }

  private Snapshot snapshot(Trace trace) {
    return new Snapshot(
        new Origin("test", "test", Trace.NO_TIME),
        Optional.of(new AllocatorSettings(settings)),
        List.of(new DeviceSnapshot(0, segments, trace, List.of())),
        StackTable.EMPTY,
        List.of());
  }

  private OomReport failed(long requestedMib, long deviceFreeMib) {
    Trace.Builder trace = new Trace.Builder();
    int row = trace.add(TraceAction.OOM, 0, requestedMib * MIB);
    trace.pool(row, PoolId.DEFAULT);
    trace.oom(row, requestedMib * MIB, deviceFreeMib < 0 ? OomEvent.UNKNOWN : deviceFreeMib * MIB);
    Snapshot snapshot = snapshot(trace.build());
    DeviceSnapshot device = snapshot.devices().getFirst();
    Lifetimes lifetimes = Lifetimes.of(device);
    OomEvent oom = device.trace().ooms().getFirst();
    RecordedDevice recorded =
        new RecordedDevice(device, ActiveBytes.of(device, lifetimes), OptionalLong.of(1000 * MIB));
    return OomAnalysis.of(
        snapshot,
        device,
        RecordedHistory.of(snapshot.stacks(), device),
        oom,
        recorded.atFailure(oom));
  }

  private OomReport hypothetical(long requestedMib, long totalMib) {
    Snapshot snapshot = snapshot(Trace.EMPTY);
    DeviceSnapshot device = snapshot.devices().getFirst();
    RecordedDevice recorded =
        new RecordedDevice(
            device,
            ActiveBytes.of(device, Lifetimes.of(device)),
            totalMib < 0 ? OptionalLong.empty() : OptionalLong.of(totalMib * MIB));
    return OomAnalysis.ofHypothetical(snapshot, device, requestedMib * MIB, 0, recorded);
  }

  @Test
  void enoughFreeBytesInPiecesIsFragmentation() {
    large(100, -60, 100, -70, 100);
    OomReport report = failed(120, 10);
    assertThat(report.verdict().cause()).isEqualTo(Cause.FRAGMENTATION);
    // The request would nearly fill the device, and the recording does not show earlier steps.
    assertThat(report.verdict().certainty()).isEqualTo(Certainty.LIKELY);
    assertThat(report.verdict().caveats())
        .singleElement()
        .asString()
        .startsWith("300 MiB of the live memory was allocated before the recording began");
    assertThat(report.verdict().sentence())
        .isEqualTo(
            "A request for 120 MiB on stream 0 failed. 130 MiB was free in the cache, all of it"
                + " in the pool and on the stream of this request, but the largest block there was"
                + " 70 MiB. 560 MiB of the device was used outside this allocator; a snapshot does"
                + " not show by what. The device had 10 MiB free; no cached segment was completely"
                + " free, so emptying the cache released nothing. Cause: fragmentation (likely).");
    assertThat(report.alsoPresent()).containsExactly(Cause.OUTSIDE_ALLOCATOR);
    assertThat(report.candidates().stream().map(Candidate::rejection))
        .containsExactly(new Rejection.TooSmall(50 * MIB), new Rejection.TooSmall(60 * MIB));
    assertThat(report.request().segmentBytes()).isEqualTo(120 * MIB);
    assertThat(report.ledger().amount(Item.UNRELEASABLE_USABLE_POOL))
        .isEqualTo(new Amount.Known(130 * MIB));
  }

  @Test
  void tooFewFreeBytesIsTooMuchLiveMemory() {
    large(930, -20);
    OomReport report = failed(120, 30);
    assertThat(report.verdict().cause()).isEqualTo(Cause.TOO_MUCH_LIVE);
    assertThat(report.verdict().certainty()).isEqualTo(Certainty.LIKELY);
    assertThat(report.verdict().caveats())
        .containsExactly(
            "930 MiB of the live memory was allocated before the recording began, so whether it"
                + " grew step by step is unknown.");
  }

  @Test
  void tooMuchLiveMemoryIsOnlyLikelyWithoutTheFreeMemoryOfTheDevice() {
    large(500, -20);
    Verdict verdict = failed(120, -1).verdict();
    assertThat(verdict.cause()).isEqualTo(Cause.TOO_MUCH_LIVE);
    assertThat(verdict.certainty()).isEqualTo(Certainty.LIKELY);
    assertThat(verdict.caveats()).startsWith("The free memory of the device was not recorded.");
  }

  @Test
  void reportsMemoryOutsideTheAllocatorIfTheRequestFitsWithoutIt() {
    large(500, -20);
    Verdict verdict = failed(120, 30).verdict();
    assertThat(verdict.cause()).isEqualTo(Cause.OUTSIDE_ALLOCATOR);
    assertThat(verdict.certainty()).isEqualTo(Certainty.CERTAIN);
    assertThat(verdict.sentence())
        .contains("450 MiB of the device was used outside this allocator");
  }

  @Test
  void reportsFreeMemoryOfAnotherStream() {
    large(900);
    segment(7, PoolKind.LARGE, PoolId.DEFAULT, false, 5, -200);
    OomReport report = failed(120, 10);
    assertThat(report.verdict().cause()).isEqualTo(Cause.OTHER_STREAM);
    assertThat(report.candidates().getFirst().rejection()).isEqualTo(new Rejection.OtherStream(7));
    assertThat(report.candidates().getFirst().missingBytes()).isZero();
  }

  @Test
  void reportsFreeMemoryOfAPrivatePool() {
    large(900);
    segment(0, PoolKind.LARGE, new PoolId(0, 2), false, -200);
    OomReport report = failed(120, 10);
    assertThat(report.verdict().cause()).isEqualTo(Cause.OTHER_POOL);
    assertThat(report.candidates().getFirst().rejection())
        .isEqualTo(new Rejection.OtherPool(new PoolId(0, 2)));
    assertThat(report.ledger().amount(Item.CACHED_PRIVATE_POOL))
        .isEqualTo(new Amount.Known(200 * MIB));
  }

  @Test
  void enoughFreeMemoryOnTheDeviceMeansALimit() {
    large(500);
    Verdict verdict = failed(120, 300).verdict();
    assertThat(verdict.cause()).isEqualTo(Cause.LIMIT);
    assertThat(verdict.certainty()).isEqualTo(Certainty.LIKELY);
    assertThat(verdict.caveats()).isNotEmpty();
  }

  @Test
  void suitableFreeBlockMakesTheVerdictInconclusive() {
    large(500, -200);
    Verdict verdict = failed(120, 10).verdict();
    assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
    assertThat(verdict.certainty()).isEqualTo(Certainty.UNDECIDED);
  }

  @Test
  void reportsTheOversizeRule() {
    settings.put("max_split_size", Long.toString(150 * MIB));
    large(500);
    large(-200);
    OomReport report = failed(120, 10);
    assertThat(report.verdict().cause()).isEqualTo(Cause.OVERSIZE_RULE);
    assertThat(report.candidates().getFirst().rejection())
        .isEqualTo(new Rejection.OversizeRule(150 * MIB));
  }

  @Test
  void freeEndOfAnExpandableSegmentHasMissingPages() {
    settings.put("expandable_segments", "True");
    segment(0, PoolKind.LARGE, PoolId.DEFAULT, true, 500, -10, 60, -50);
    OomReport report = failed(120, 60);
    assertThat(report.candidates().stream().map(Candidate::rejection))
        .containsExactly(new Rejection.ExpandableTail(70 * MIB), new Rejection.TooSmall(110 * MIB));
    assertThat(report.verdict().cause())
        .as("70 MiB are missing: four pages of 20 MiB, but the device has only three")
        .isEqualTo(Cause.FRAGMENTATION);
  }

  @Test
  void fittingRequestUsesTheSmallestBlock() {
    large(100, -200, 10, -130, 10);
    Verdict verdict = hypothetical(120, -1).verdict();
    assertThat(verdict.cause()).isEqualTo(Cause.FITS);
    assertThat(verdict.sentence()).contains(" fits into the free block of 130 MiB at 0x");
  }

  @Test
  void verdictIsInconclusiveWithoutTheSizeOfTheDevice() {
    large(100, -50);
    Verdict unknown = hypothetical(120, -1).verdict();
    assertThat(unknown.certainty()).isEqualTo(Certainty.UNDECIDED);
    assertThat(unknown.caveats().getLast()).contains("120 MiB");
    assertThat(hypothetical(120, 1000).verdict().certainty()).isEqualTo(Certainty.UNDECIDED);
    Verdict tooLarge = hypothetical(120, 200).verdict();
    assertThat(tooLarge.cause()).isEqualTo(Cause.TOO_MUCH_LIVE);
    assertThat(tooLarge.sentence()).startsWith("A request for 120 MiB on stream 0 would fail.");
  }

  @Test
  void rejectsAnEmptyRequest() {
    assertThatThrownBy(() -> hypothetical(0, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oversizeBlockThatIsTooLargeForAnOversizeRequestDoesNotFit() {
    settings.put("max_split_size", Long.toString(200 * MIB));
    large(-2048);
    OomReport report = hypothetical(1024, 2048);
    assertThat(report.candidates().getFirst().rejection())
        .isEqualTo(new Rejection.OversizeExcess(20 * MIB));
    assertThat(report.verdict().cause()).as(report.verdict().sentence()).isNotEqualTo(Cause.FITS);
  }

  @Test
  void oversizeBlockThatFitsCloselyFits() {
    settings.put("max_split_size", Long.toString(200 * MIB));
    large(-1040);
    Verdict verdict = hypothetical(1024, 2048).verdict();
    assertThat(verdict.cause()).isEqualTo(Cause.FITS);
    assertThat(verdict.certainty()).isEqualTo(Certainty.CERTAIN);
  }

  @Test
  void maxNonSplitRoundingOfTheConfigurationIsUsed() {
    settings.put("max_split_size", Long.toString(200 * MIB));
    settings.put("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:200,max_non_split_rounding_mb:512");
    large(-1500);
    assertThat(hypothetical(1024, 2048).verdict().cause()).isEqualTo(Cause.FITS);
  }

  @Test
  void fitIsAnsweredFromTheFreeMemoryAtTheLastFailure() {
    large(900);
    Trace.Builder trace = new Trace.Builder();
    int row = trace.add(TraceAction.OOM, 0, 700 * MIB);
    trace.oom(row, 700 * MIB, 612 * MIB);
    Verdict fits = hypothetical(snapshot(trace.build()), 600).verdict();
    assertThat(fits.cause()).isEqualTo(Cause.FITS);
    assertThat(fits.certainty()).isEqualTo(Certainty.LIKELY);
    assertThat(fits.sentence())
        .isEqualTo(
            "A request for 600 MiB on stream 0 fits: the driver provides 600 MiB of the 612 MiB"
                + " that the device has free (likely).");
    assertThat(hypothetical(snapshot(trace.build()), 620).verdict().cause())
        .isEqualTo(Cause.TOO_MUCH_LIVE);
  }

  /** The recording shows a limit that the file does not contain. */
  @Test
  void requestThatFailedAlthoughTheDeviceHadRoomWouldFailAgain() {
    large(900);
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.SEGMENT_ALLOC, 1L << 32, 900 * MIB);
    int row = trace.add(TraceAction.OOM, 0, 700 * MIB);
    trace.oom(row, 700 * MIB, 2000 * MIB);
    Snapshot snapshot = snapshot(trace.build());
    for (long mib : new long[] {700, 1500}) {
      Verdict verdict = hypothetical(snapshot, mib).verdict();
      assertThat(verdict.cause()).as(verdict.sentence()).isEqualTo(Cause.LIMIT);
      assertThat(verdict.certainty()).isEqualTo(Certainty.LIKELY);
    }
    assertThat(hypothetical(snapshot, 600).verdict().cause()).isEqualTo(Cause.FITS);
  }

  @Test
  void memoryLimitOfAHostedAllocatorIsTheCause() {
    large(500);
    AllocatorFacts facts = facts(AllocatorFamily.CACHING, 1000, 500, OptionalLong.of(512 * MIB));
    Verdict verdict = failed(snapshot(oom(100, 500), facts)).verdict();
    assertThat(verdict.cause()).isEqualTo(Cause.LIMIT);
    assertThat(verdict.certainty()).isEqualTo(Certainty.CERTAIN);
  }

  @Test
  void directAllocatorHasNoCacheAndNoDefaultsAreAssumed() {
    large(500);
    AllocatorFacts facts = facts(AllocatorFamily.DIRECT, 1000, 500, OptionalLong.empty());
    OomReport report = failed(snapshot(oom(600, 500), facts));
    assertThat(report.request().segmentBytes()).isEqualTo(600 * MIB);
    assertThat(report.verdict().caveats())
        .containsExactly(
            "500 MiB of the live memory was allocated before the recording began, so whether it"
                + " grew step by step is unknown.");
    assertThat(report.verdict().sentence())
        .isEqualTo(
            "A request for 600 MiB failed. 500 MiB was live, 50.0 % of what the allocator could"
                + " have. Every block is an allocation of the driver; nothing is cached; the device"
                + " had 500 MiB free. Cause: too much live memory (likely).");
    assertThat(hypothetical(snapshot(Trace.EMPTY, facts), 400).verdict().sentence())
        .isEqualTo("A request for 400 MiB fits: the device has 500 MiB free (certain).");
  }

  @Test
  void bfcAllocatorUsesChunksOfEveryStreamAndSize() {
    segment(3, PoolKind.LARGE, PoolId.DEFAULT, false, 300, -200, 100);
    AllocatorFacts facts = facts(AllocatorFamily.BFC, 1000, 400, OptionalLong.of(600 * MIB));
    assertThat(hypothetical(snapshot(Trace.EMPTY, facts), 150).verdict().sentence())
        .isEqualTo(
            "A request for 150 MiB fits into a free chunk; the largest has 200 MiB (certain).");
    OomReport report = failed(snapshot(oom(250, 400), facts));
    assertThat(report.verdict().caveats()).isEmpty();
    assertThat(report.verdict().sentence())
        .isEqualTo(
            "A request for 250 MiB failed. The pool may not grow beyond its limit. 200 MiB was free"
                + " in chunks, the largest of 200 MiB; the pool had 600 MiB of its limit of 600"
                + " MiB; the device had 400 MiB free. Cause: a memory limit, such as the memory"
                + " fraction (certain).");
  }

  private static Trace oom(long requestedMib, long freeMib) {
    Trace.Builder trace = new Trace.Builder();
    int row = trace.add(TraceAction.OOM, 0, requestedMib * MIB);
    trace.pool(row, PoolId.DEFAULT);
    trace.oom(row, requestedMib * MIB, freeMib * MIB);
    return trace.build();
  }

  private static AllocatorFacts facts(
      AllocatorFamily family, long totalMib, long freeMib, OptionalLong limit) {
    return new AllocatorFacts(
        family, OptionalLong.of(totalMib * MIB), OptionalLong.of(freeMib * MIB), limit, true);
  }

  private Snapshot snapshot(Trace trace, AllocatorFacts facts) {
    Snapshot plain = snapshot(trace);
    return new Snapshot(
        plain.origin(),
        facts.family() == AllocatorFamily.DIRECT ? Optional.empty() : plain.settings(),
        List.of(new DeviceSnapshot(0, segments, trace, List.of(), facts)),
        plain.stacks(),
        List.of());
  }

  private static OomReport failed(Snapshot snapshot) {
    DeviceSnapshot device = snapshot.devices().getFirst();
    OomEvent oom = device.trace().ooms().getFirst();
    return OomAnalysis.of(
        snapshot,
        device,
        RecordedHistory.of(snapshot.stacks(), device),
        oom,
        recorded(device).atFailure(oom));
  }

  private static OomReport hypothetical(Snapshot snapshot, long requestedMib) {
    DeviceSnapshot device = snapshot.devices().getFirst();
    return OomAnalysis.ofHypothetical(snapshot, device, requestedMib * MIB, 0, recorded(device));
  }

  private static RecordedDevice recorded(DeviceSnapshot device) {
    return new RecordedDevice(
        device, ActiveBytes.of(device, Lifetimes.of(device)), OptionalLong.empty());
  }
}
