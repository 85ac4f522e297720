package dev.vramscope.web;

import dev.vramscope.analysis.ActiveBytes;
import dev.vramscope.analysis.ActiveSites;
import dev.vramscope.analysis.AllocationGroups;
import dev.vramscope.analysis.AllocatorState;
import dev.vramscope.analysis.AnnotationRanges;
import dev.vramscope.analysis.DeviceEvidence;
import dev.vramscope.analysis.EventTimes;
import dev.vramscope.analysis.EvidenceMatch;
import dev.vramscope.analysis.Fragmentation;
import dev.vramscope.analysis.HighWaterMark;
import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.Ledger;
import dev.vramscope.analysis.Ledger.DeviceMemory;
import dev.vramscope.analysis.LifetimeIndex;
import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.analysis.MemorySummary;
import dev.vramscope.analysis.MissingData;
import dev.vramscope.analysis.PrivatePools;
import dev.vramscope.analysis.RangeLane;
import dev.vramscope.analysis.RecordedDevice;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.SegmentHistory;
import dev.vramscope.analysis.Sites;
import dev.vramscope.analysis.StackClasses;
import dev.vramscope.analysis.StepTable;
import dev.vramscope.analysis.Steps;
import dev.vramscope.analysis.diff.DeviceMoment;
import dev.vramscope.budget.Budget;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.budget.Uses;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.DeviceReplays;
import dev.vramscope.postmortem.Explanation;
import dev.vramscope.postmortem.FailureReplays;
import dev.vramscope.postmortem.HealthyRun;
import dev.vramscope.postmortem.KnownReplays;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.UnrecordedRequest;
import dev.vramscope.store.AttachedText;
import dev.vramscope.whatif.RecordedNumbers;
import dev.vramscope.whatif.ReplayedCounters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One device of a loaded snapshot with its analyses, each computed on first use. */
final class LoadedDevice {
  private static final int PEAK_SITES = 10;

  /** A replay of so many events takes a fraction of a second. */
  private static final int REPLAYED_EVENTS = 250_000;

  /** The same, with the segments and blocks that it begins with. */
  private static final int REPLAYED_ROWS = 3 * REPLAYED_EVENTS;

  private final Snapshot snapshot;
  private final DeviceSnapshot device;
  private final SizeRules sizes;
  private final Lazy<StackClasses> stacks;
  private final Lazy<Lifetimes> lifetimes;
  private final Lazy<ActiveBytes> active;
  private final Lazy<LifetimeIndex> lifetimeIndex;
  private final Lazy<SegmentHistory> segmentHistory;
  private final Lazy<HighWaterMark> highWaterMark;
  private final Lazy<ActiveSites> peakSites;
  private final Lazy<AllocatorState> state;
  private final Lazy<Fragmentation> fragmentation;
  private final Lazy<MemorySummary> summary;
  private final Lazy<Sites> sites;
  private final Lazy<MissingData> missingData;
  private final Lazy<RecordedHistory> history;
  private final Lazy<StepTable> steps;
  private final Lazy<RangeLane> stepLane;
  private final Lazy<EventTimes> times;
  private final Lazy<PrivatePools> privatePools;
  private final Lazy<AnnotationRanges> annotationRanges;
  private final Map<TimelineColour, AllocationGroups> colours = new ConcurrentHashMap<>();
  private final FailureReplays failureReplays;
  private final SmallerDevices smallerDevices;
  private final Lazy<Uses> uses;
  private final AttachedEvidence evidence;
  private final DeviceCounters counters;
  private final DeviceReplays replays;
  private final KnownReplays knownReplays;
  private final Lazy<RecordedNumbers> recordedNumbers;
  private final EventLists events = new EventLists();

  LoadedDevice(
      Snapshot snapshot,
      DeviceSnapshot device,
      Lazy<StackClasses> stacks,
      Supplier<List<AttachedText>> texts,
      KnownReplays known) {
    this.snapshot = snapshot;
    this.device = device;
    this.stacks = stacks;
    knownReplays = known;
    sizes = SizeRules.of(snapshot.settings());
    lifetimes = new Lazy<>(() -> Lifetimes.of(device));
    active = new Lazy<>(() -> ActiveBytes.of(device, lifetimes()));
    lifetimeIndex = new Lazy<>(() -> LifetimeIndex.of(lifetimes()));
    segmentHistory = new Lazy<>(() -> SegmentHistory.of(device, sizes));
    highWaterMark = new Lazy<>(() -> HighWaterMark.of(lifetimes(), active()));
    peakSites =
        new Lazy<>(() -> ActiveSites.atPeak(lifetimes(), active(), stacks.get(), PEAK_SITES));
    state = new Lazy<>(() -> AllocatorState.end(device));
    fragmentation =
        new Lazy<>(() -> Fragmentation.of(endState(), lifetimes(), active(), sizes, family()));
    summary = new Lazy<>(() -> MemorySummary.of(snapshot, device, lifetimes(), active()));
    sites = new Lazy<>(() -> Sites.of(lifetimes(), active(), stacks.get(), pendingAddresses()));
    history =
        new Lazy<>(
            () ->
                new RecordedHistory(
                    lifetimes(), active(), Steps.of(snapshot.stacks(), device, active())));
    steps = new Lazy<>(() -> StepTable.of(history.get().steps(), device, active()));
    stepLane = new Lazy<>(() -> RangeLane.of(steps()));
    privatePools = new Lazy<>(() -> PrivatePools.of(device, lifetimes(), segmentHistory::get));
    times = new Lazy<>(() -> EventTimes.of(device.trace()));
    annotationRanges = new Lazy<>(() -> AnnotationRanges.of(device.annotations(), times()));
    replays =
        new DeviceReplays(snapshot, device, lifetimes::get, () -> history.get().steps(), known);
    recordedNumbers = new Lazy<>(() -> RecordedNumbers.of(device, active()));
    failureReplays = new FailureReplays(snapshot, device, replays::replayable, known);
    smallerDevices = new SmallerDevices(snapshot, device, replays::replayable);
    missingData = new Lazy<>(() -> MissingData.of(snapshot, device, lifetimes(), active()));
    counters =
        new DeviceCounters(
            device.ordinal(), summary, fragmentation, new Lazy<>(this::replayedCounters));
    evidence =
        new AttachedEvidence(
            texts, new Lazy<>(() -> new EvidenceMatch(device, lifetimes(), active(), sizes)));
    uses = new Lazy<>(() -> Uses.of(lifetimes(), stacks.get(), device.trace().userMetadata()));
  }

  private Map<String, Long> replayedCounters() {
    return device.trace().size() > REPLAYED_EVENTS || device.rowCount() > REPLAYED_ROWS
        ? Map.of()
        : ReplayedCounters.missingFrom(
            summary(), snapshot, device, lifetimes(), leastTotal().bytes());
  }

  public int ordinal() {
    return device.ordinal();
  }

  /** What pages call it. */
  public String title() {
    return device.isPinnedHost()
        ? "Pinned host memory"
        : device
            .facts()
            .profiledDevice()
            .map(name -> "Device " + name)
            .orElseGet(() -> "Device " + device.ordinal());
  }

  public DeviceSnapshot device() {
    return device;
  }

  /** Whether the recording contains the size of the device. */
  public boolean isSizeRecorded() {
    return device.facts().isRecorded();
  }

  /** Whether the size of the device is recorded or in an attached text. */
  public boolean isSizeKnown() {
    return isSizeRecorded() || evidence.combined(ordinal()).size().isPresent();
  }

  /** Whether the recording has events; without them, only the state at the end is known. */
  public boolean hasEvents() {
    return !device.trace().isEmpty();
  }

  /** The events of the trace, filtered. */
  EventLists events() {
    return events;
  }

  /** Whether the allocator is PyTorch's caching allocator. */
  public boolean isCaching() {
    return family() == AllocatorFamily.CACHING;
  }

  /** Whether the allocator keeps free memory that the file shows. */
  public boolean isPooling() {
    return isCaching() || family() == AllocatorFamily.BFC;
  }

  public AllocatorFamily family() {
    return device.facts().family();
  }

  public Lifetimes lifetimes() {
    return lifetimes.get();
  }

  public ActiveBytes active() {
    return active.get();
  }

  LifetimeIndex lifetimeIndex() {
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
    return state.get();
  }

  public Fragmentation fragmentation() {
    return fragmentation.get();
  }

  public MemorySummary summary() {
    return summary.get();
  }

  /** The groups of allocations that have one colour each. */
  AllocationGroups groups(TimelineColour colour) {
    return colours.computeIfAbsent(colour, each -> each.groups(this, stacks.get()));
  }

  /** The counters of {@code torch.cuda.memory_stats()}. */
  public DeviceCounters counters() {
    return counters;
  }

  public Sites sites() {
    return sites.get();
  }

  public StepTable steps() {
    return steps.get();
  }

  /** The steps as ranges of a chart. */
  RangeLane stepLane() {
    return stepLane.get();
  }

  /** The annotations as ranges of a chart. */
  AnnotationRanges annotationRanges() {
    return annotationRanges.get();
  }

  PrivatePools privatePools() {
    return privatePools.get();
  }

  EventTimes times() {
    return times.get();
  }

  public MissingData missingData() {
    return missingData.get();
  }

  /** The results of earlier replays. */
  KnownReplays knownReplays() {
    return knownReplays;
  }

  /** The recorded requests, to be replayed under other settings. */
  DeviceReplays replays() {
    return replays;
  }

  /** What the recording shows without a replay. */
  public RecordedNumbers recordedNumbers() {
    return recordedNumbers.get();
  }

  /** The ledger at the end; {@code known} is what is known of the device besides. */
  public Ledger ledger(DeviceEvidence known) {
    return Ledger.of(device, endState(), active().atEnd(), sizes, recordedDevice(known).atEnd());
  }

  /** The ledger after an event; {@code known} is what is known of the device besides. */
  Ledger ledgerAt(int event, DeviceEvidence known) {
    if (event == device.trace().size() - 1) {
      return ledger(known);
    }
    RecordedDevice recorded = recordedDevice(known);
    DeviceMemory memory =
        ooms().stream()
            .filter(oom -> oom.event() == event)
            .findFirst()
            .map(recorded::atFailure)
            .orElseGet(() -> recorded.at(event));
    return Ledger.of(device, stateAt(event), active().at(event), sizes, memory);
  }

  /** The device after an event, to be compared with another one. */
  DeviceMoment moment(int event) {
    return new DeviceMoment(lifetimes(), active(), stacks.get(), event);
  }

  /** The moments that have a budget, in order of interest. */
  public List<Moment> budgetMoments() {
    List<Moment> moments = new ArrayList<>();
    if (!ooms().isEmpty()) {
      moments.add(Moment.FAILURE);
    }
    if (hasEvents()) {
      moments.add(Moment.PEAK);
    }
    moments.add(Moment.END);
    return moments;
  }

  /**
   * What the memory is used for at a moment.
   *
   * @param moment one of {@link #budgetMoments}
   * @param n the index of the failure, for {@link Moment#FAILURE}
   */
  public Budget budget(Moment moment, int n, DeviceEvidence known) {
    RecordedDevice recorded = recordedDevice(known);
    return switch (moment) {
      case FAILURE -> {
        OomEvent oom = ooms().get(n);
        yield budget(moment, stateAt(oom.event()), recorded.atFailure(oom), oom);
      }
      case PEAK -> {
        int peak = active().peakEvent();
        yield budget(moment, stateAt(peak), recorded.at(peak), null);
      }
      case END -> budget(moment, endState(), recorded.atEnd(), null);
    };
  }

  private Budget budget(
      Moment moment, AllocatorState at, DeviceMemory memory, @Nullable OomEvent failed) {
    return Budget.of(
        moment,
        at,
        Ledger.of(device, at, active().at(at.event()), sizes, memory),
        lifetimes(),
        stacks.get(),
        uses.get(),
        failed == null ? StackTable.NONE : device.trace().stack(failed.event()));
  }

  /** Segments and blocks after an event. */
  AllocatorState stateAt(int event) {
    return AllocatorState.at(device, lifetimes(), sizes, event);
  }

  /**
   * The stream to test a request on: that of the failed request {@code ooms().get(n)}; without one,
   * that with the most reserved memory.
   */
  long defaultStream(int n) {
    if (n >= 0 && n < ooms().size()) {
      return device.trace().stream(ooms().get(n).event());
    }
    Map<Long, Long> reserved = new HashMap<>();
    for (Segment segment : device.segments()) {
      reserved.merge(segment.stream(), segment.bytes(), Long::sum);
    }
    return reserved.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(0L);
  }

  /** The size rules of the recorded settings. */
  SizeRules sizes() {
    return sizes;
  }

  public List<OomEvent> ooms() {
    return device.trace().ooms();
  }

  /** The post-mortem of the failed request {@code ooms().get(index)}. */
  public OomReport report(int index, DeviceEvidence known) {
    OomEvent oom = ooms().get(index);
    return OomReport.of(snapshot, device, history.get(), oom, recordedDevice(known).atFailure(oom));
  }

  /**
   * What the report of the failure {@code ooms().get(index)} means to a reader.
   *
   * @param isReplayWanted whether to replay the run under other settings even if that takes long
   */
  public Explanation explanation(OomReport report, int index, boolean isReplayWanted) {
    return Explanation.of(
        report,
        device,
        history.get(),
        stacks.get(),
        failureReplays.of(report, ooms().get(index), isReplayWanted));
  }

  /**
   * How close a run without a failure came to one, or null if the recording does not show it.
   *
   * @param known what is known of the device besides
   * @param isReplayWanted whether to replay the run on smaller devices even if that takes long
   */
  public @Nullable HealthyRun healthyRun(DeviceEvidence known, boolean isReplayWanted) {
    if (!isHealthy()) {
      return null;
    }
    OptionalLong recorded = device.facts().deviceBytes();
    return HealthyRun.of(
        device,
        lifetimes(),
        active(),
        highWaterMark(),
        stacks.get(),
        recorded.isPresent() ? recorded : known.measuredBytes(),
        smallerDevices.found(isReplayWanted));
  }

  /** What is known of the failed request of a dump that does not contain it. */
  UnrecordedRequest unrecordedRequest() {
    return UnrecordedRequest.of(device, lifetimes(), stacks.get());
  }

  /** Whether the recording shows a run without a failure. */
  private boolean isHealthy() {
    return ooms().isEmpty() && hasEvents() && highWaterMark().bytes() != 0;
  }

  /** On how small devices a run without a failure would have fitted. */
  SmallerDevices smallerDevices() {
    return smallerDevices;
  }

  /** The post-mortem of a hypothetical request in the final state. */
  public OomReport hypothetical(long requestedBytes, long stream, DeviceEvidence known) {
    return OomReport.ofHypothetical(
        snapshot, device, requestedBytes, stream, recordedDevice(known));
  }

  private RecordedDevice recordedDevice(DeviceEvidence known) {
    return new RecordedDevice(device, active(), known);
  }

  /** What users have attached about this device. */
  AttachedEvidence evidence() {
    return evidence;
  }

  /** The attached texts about this device, as pages show them. */
  public List<EvidenceView> attached() {
    return evidence.of(ordinal()).stream().map(EvidenceView::of).toList();
  }

  /** The greatest lower bound of the size of the device that the recording gives. */
  RecordedDevice.Bound leastTotal() {
    return recordedDevice(DeviceEvidence.NONE).lowerBound();
  }

  /** Whether the file has the state at the end; see {@link MissingData}. */
  public boolean isEndKnown() {
    return device.hasSegmentsRecorded() && (!device.segments().isEmpty() || active().atEnd() == 0);
  }

  /**
   * Requested bytes that are live at the end.
   *
   * @param stateBytes according to the final state; where it has no request, that of the trace, or
   *     else the block size
   * @param traceBytes according to the trace, which timeline and sites follow
   */
  public record LiveAtEnd(long stateBytes, long traceBytes) {
    /** Whether the file contradicts itself. */
    public boolean isContradictory() {
      return stateBytes != traceBytes;
    }
  }

  /** The requested bytes at the end, or null if the file has no final state. */
  public @Nullable LiveAtEnd liveAtEnd() {
    if (!isEndKnown()) {
      return null;
    }
    Map<Long, Long> requests = new HashMap<>();
    for (int row = 0; row < lifetimes().size(); row++) {
      if (lifetimes().endEvent(row) == Lifetimes.NEVER) {
        requests.put(lifetimes().address(row), lifetimes().bytes(row));
      }
    }
    long bytes =
        device.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(Block::isActive)
            .mapToLong(
                block ->
                    block.requestedBytes() == Block.UNKNOWN
                        ? requests.getOrDefault(block.address(), block.bytes())
                        : block.requestedBytes())
            .sum();
    return new LiveAtEnd(bytes, active().atEnd());
  }

  private Set<Long> pendingAddresses() {
    return device.segments().stream()
        .flatMap(segment -> segment.blocks().stream())
        .filter(block -> block.state() == BlockState.PENDING_FREE)
        .map(Block::address)
        .collect(Collectors.toSet());
  }

  /** Whether an allocation of this device has the same site as a stack. */
  public boolean hasSite(int stack) {
    return stack != StackTable.NONE
        && sites().rows().stream().anyMatch(row -> row.isSiteOf(stack, stacks.get()));
  }

  /** The segment of the final state that contains an address, or null. */
  @Nullable Segment segmentAt(long address) {
    for (Segment segment : device.segments()) {
      if (segment.contains(address)) {
        return segment;
      }
    }
    return null;
  }

  /** The address of {@link #segmentAt}, in hex, or null. */
  public @Nullable String finalSegment(long address) {
    Segment found = segmentAt(address);
    return found == null ? null : new DisplayFormat().hex(found.address());
  }

  public long reservedBytes() {
    return device.segments().stream().mapToLong(Segment::bytes).sum();
  }

  public long allocatedBytes() {
    return device.segments().stream().mapToLong(Segment::allocatedBytes).sum();
  }

  public long pendingFreeBytes() {
    return device.segments().stream().mapToLong(Segment::pendingFreeBytes).sum();
  }

  public long activeBytes() {
    return allocatedBytes() + pendingFreeBytes();
  }

  public long blockCount() {
    return device.blockCount();
  }
}
