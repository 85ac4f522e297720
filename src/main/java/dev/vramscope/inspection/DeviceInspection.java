package dev.vramscope.inspection;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.MissingData;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.ledger.EvidenceMatch;
import dev.vramscope.analysis.ledger.Fragmentation;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.EventTimes;
import dev.vramscope.analysis.lifetimes.HighWaterMark;
import dev.vramscope.analysis.lifetimes.LifetimeIndex;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.lifetimes.LiveAtEnd;
import dev.vramscope.analysis.segments.PrivatePools;
import dev.vramscope.analysis.segments.SegmentHistory;
import dev.vramscope.analysis.sites.ActiveSites;
import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.StepTable;
import dev.vramscope.analysis.summary.MemorySummary;
import dev.vramscope.analysis.timeline.AllocationGroups;
import dev.vramscope.analysis.timeline.AnnotationRanges;
import dev.vramscope.analysis.timeline.RangeLane;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.evidence.AttachedText;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.whatif.RecordedNumbers;
import dev.vramscope.whatif.replays.KnownReplays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One device of a snapshot with its analyses, each computed on first use. Thread-safe. */
public final class DeviceInspection {
  private static final int PEAK_SITES = 10;

  private final Snapshot snapshot;
  private final DeviceSnapshot device;
  private final RecordedHistory history;
  private final SizeRules sizes;
  private final Lazy<StackClasses> stacks;
  private final Lazy<LifetimeIndex> lifetimeIndex;
  private final Lazy<SegmentHistory> segmentHistory;
  private final Lazy<HighWaterMark> highWaterMark;
  private final Lazy<ActiveSites> peakSites;
  private final Lazy<AllocatorState> endState;
  private final Lazy<Fragmentation> fragmentation;
  private final Lazy<MemorySummary> summary;
  private final Lazy<Sites> sites;
  private final Lazy<MissingData> missingData;
  private final Lazy<Uses> uses;
  private final Lazy<StepTable> steps;
  private final Lazy<RangeLane> stepLane;
  private final Lazy<EventTimes> times;
  private final Lazy<PrivatePools> privatePools;
  private final Lazy<AnnotationRanges> annotationRanges;
  private final Lazy<RecordedNumbers> recordedNumbers;
  private final Map<AllocationColour, AllocationGroups> groups = new ConcurrentHashMap<>();
  private final KnownReplays knownReplays;
  private final DeviceReplays replays;
  private final AttachedEvidence evidence;
  private final DeviceCounters counters;
  private final DeviceMoments moments;
  private final DeviceFailures failures;

  DeviceInspection(
      Snapshot snapshot,
      DeviceSnapshot device,
      RecordedHistory history,
      Lazy<StackClasses> stacks,
      Supplier<List<AttachedText>> texts,
      KnownReplays knownReplays) {
    this.snapshot = snapshot;
    this.device = device;
    this.history = history;
    this.stacks = stacks;
    this.knownReplays = knownReplays;
    sizes = SizeRules.of(snapshot.settings());
    lifetimeIndex = new Lazy<>(() -> LifetimeIndex.of(lifetimes()));
    segmentHistory = new Lazy<>(() -> SegmentHistory.of(device, sizes));
    highWaterMark = new Lazy<>(() -> HighWaterMark.of(lifetimes(), active()));
    peakSites =
        new Lazy<>(() -> ActiveSites.atPeak(lifetimes(), active(), stacks.get(), PEAK_SITES));
    endState = new Lazy<>(() -> AllocatorState.end(device));
    fragmentation =
        new Lazy<>(() -> Fragmentation.of(endState(), lifetimes(), active(), sizes, family()));
    summary = new Lazy<>(() -> MemorySummary.of(snapshot, device, lifetimes(), active()));
    sites =
        new Lazy<>(
            () ->
                Sites.of(
                    lifetimes(), active(), stacks.get(), uses(), device.pendingFreeAddresses()));
    uses = new Lazy<>(() -> Uses.of(lifetimes(), stacks.get(), device.trace().userMetadata()));
    steps = new Lazy<>(() -> StepTable.of(history.steps(), device, active()));
    stepLane = new Lazy<>(() -> RangeLane.of(steps()));
    privatePools = new Lazy<>(() -> PrivatePools.of(device, lifetimes(), segmentHistory::get));
    times = new Lazy<>(() -> EventTimes.of(device.trace()));
    annotationRanges = new Lazy<>(() -> AnnotationRanges.of(device.annotations(), times()));
    missingData = new Lazy<>(() -> MissingData.of(snapshot, device, lifetimes(), active()));
    recordedNumbers = new Lazy<>(() -> RecordedNumbers.of(device, active()));
    replays = new DeviceReplays(snapshot, device, history, knownReplays);
    evidence =
        new AttachedEvidence(
            device.ordinal(),
            texts,
            new Lazy<>(() -> new EvidenceMatch(device, lifetimes(), active(), sizes)));
    counters = new DeviceCounters(this);
    moments = new DeviceMoments(this);
    failures = new DeviceFailures(this);
  }

  /** The snapshot that the device is a part of. */
  public Snapshot snapshot() {
    return snapshot;
  }

  public DeviceSnapshot device() {
    return device;
  }

  public int ordinal() {
    return device.ordinal();
  }

  public AllocatorFamily family() {
    return device.facts().family();
  }

  /** The use of every allocation. */
  public Uses uses() {
    return uses.get();
  }

  /** The size rules of the recorded settings. */
  public SizeRules sizes() {
    return sizes;
  }

  /** The classified stacks of the snapshot. */
  public StackClasses stacks() {
    return stacks.get();
  }

  public List<OomEvent> ooms() {
    return device.trace().ooms();
  }

  /** Whether the recording has events; without them, only the state at the end is known. */
  public boolean hasEvents() {
    return !device.trace().isEmpty();
  }

  /** Whether the recording contains the size of the device. */
  public boolean isSizeRecorded() {
    return device.facts().isRecorded();
  }

  /** Whether the size of the device is recorded or in an attached text. */
  public boolean isSizeKnown() {
    return isSizeRecorded() || evidence.combined().size().isPresent();
  }

  RecordedHistory history() {
    return history;
  }

  public Lifetimes lifetimes() {
    return history.lifetimes();
  }

  public ActiveBytes active() {
    return history.active();
  }

  public LifetimeIndex lifetimeIndex() {
    return lifetimeIndex.get();
  }

  public SegmentHistory segmentHistory() {
    return segmentHistory.get();
  }

  public HighWaterMark highWaterMark() {
    return highWaterMark.get();
  }

  public ActiveSites peakSites() {
    return peakSites.get();
  }

  public AllocatorState endState() {
    return endState.get();
  }

  public Fragmentation fragmentation() {
    return fragmentation.get();
  }

  public MemorySummary summary() {
    return summary.get();
  }

  /** The counters of {@code torch.cuda.memory_stats()}. */
  public DeviceCounters counters() {
    return counters;
  }

  public Sites sites() {
    return sites.get();
  }

  /** Whether an allocation of this device has the same site as a stack. */
  public boolean hasSite(int stack) {
    return stack != StackTable.NONE
        && sites().rows().stream().anyMatch(row -> row.isSiteOf(stack, stacks.get()));
  }

  /** The groups of allocations that have one colour each. */
  public AllocationGroups groups(AllocationColour colour) {
    return groups.computeIfAbsent(colour, each -> each.groups(this));
  }

  public StepTable steps() {
    return steps.get();
  }

  /** The steps as ranges of a chart. */
  public RangeLane stepLane() {
    return stepLane.get();
  }

  /** The annotations as ranges of a chart. */
  public AnnotationRanges annotationRanges() {
    return annotationRanges.get();
  }

  public PrivatePools privatePools() {
    return privatePools.get();
  }

  public EventTimes times() {
    return times.get();
  }

  public MissingData missingData() {
    return missingData.get();
  }

  /** Whether the file has the state at the end; see {@link MissingData}. */
  public boolean isEndKnown() {
    return device.kind().hasSegments() && (!device.segments().isEmpty() || active().atEnd() == 0);
  }

  /** The requested bytes at the end, or null if the file has no final state. */
  public @Nullable LiveAtEnd liveAtEnd() {
    return isEndKnown() ? LiveAtEnd.of(device, lifetimes(), active()) : null;
  }

  /** The ledger, the budget and the state at a moment of the recording. */
  public DeviceMoments moments() {
    return moments;
  }

  /** The failed requests and why they failed. */
  public DeviceFailures failures() {
    return failures;
  }

  /** What users have attached about this device. */
  public AttachedEvidence evidence() {
    return evidence;
  }

  /** What the recording and {@code deviceEvidence} say about the device's memory. */
  RecordedDevice recordedDevice(DeviceEvidence deviceEvidence) {
    return new RecordedDevice(device, active(), deviceEvidence);
  }

  /** The greatest lower bound of the size of the device that the recording gives. */
  public RecordedDevice.Bound leastTotal() {
    return recordedDevice(DeviceEvidence.NONE).lowerBound();
  }

  /** The recorded requests, to be replayed under other settings. */
  public DeviceReplays replays() {
    return replays;
  }

  /** The results of earlier replays. */
  public KnownReplays knownReplays() {
    return knownReplays;
  }

  /** What the recording shows without a replay. */
  public RecordedNumbers recordedNumbers() {
    return recordedNumbers.get();
  }
}
