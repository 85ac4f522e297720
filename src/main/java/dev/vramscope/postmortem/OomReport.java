package dev.vramscope.postmortem;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.DeviceMemory;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.postmortem.cause.BfcFit;
import dev.vramscope.postmortem.cause.CachingFit;
import dev.vramscope.postmortem.cause.Candidate;
import dev.vramscope.postmortem.cause.CauseRule;
import dev.vramscope.postmortem.cause.ChunkWaste;
import dev.vramscope.postmortem.cause.Counterfactuals;
import dev.vramscope.postmortem.cause.DeviceAtRequest;
import dev.vramscope.postmortem.cause.Diagnosis;
import dev.vramscope.postmortem.cause.DirectFit;
import dev.vramscope.postmortem.cause.Failure;
import dev.vramscope.postmortem.cause.FreeBytes;
import dev.vramscope.postmortem.cause.RecordingStart;
import dev.vramscope.postmortem.cause.Rejection;
import dev.vramscope.postmortem.cause.Releasable;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.RequestState;
import dev.vramscope.postmortem.cause.RequestState.Before;
import dev.vramscope.postmortem.cause.StateCounterfactuals;
import dev.vramscope.postmortem.cause.StepHistory;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import dev.vramscope.postmortem.frees.Frees;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Why a request failed, or whether a hypothetical request would fit.
 *
 * @param request the request
 * @param verdict the cause in one sentence
 * @param alsoPresent causes that contribute, the most important first
 * @param counterfactuals what would have served the request, each alone
 * @param state the state of the allocator at that moment
 * @param candidates all free and pending blocks, closest fit first
 * @param free the bytes of the candidates, summed by reason
 * @param ledger the device memory at that moment, for this request
 * @param frees what frees would have changed
 */
public record OomReport(
    Request request,
    Verdict verdict,
    List<Cause> alsoPresent,
    Counterfactuals counterfactuals,
    AllocatorState state,
    List<Candidate> candidates,
    FreeBytes free,
    Ledger ledger,
    Frees frees) {
  public OomReport {
    alsoPresent = List.copyOf(alsoPresent);
    candidates = List.copyOf(candidates);
  }

  /**
   * The report of a recorded failure.
   *
   * @param memory the device's memory at the failure
   */
  public static OomReport of(
      Snapshot snapshot,
      DeviceSnapshot device,
      RecordedHistory history,
      OomEvent oom,
      DeviceMemory memory) {
    SizeRules sizes = SizeRules.of(snapshot.settings());
    AllocatorState state = AllocatorState.at(device, history.lifetimes(), sizes, oom.event());
    Request request = Request.of(device.trace(), oom, sizes, device.facts().family());
    Before before =
        new Before(
            releasedBefore(device.trace(), oom.event()),
            StepHistory.of(device.trace(), history, oom.event(), request.roundedBytes()),
            RecordingStart.of(device, history, oom.event()),
            OptionalLong.empty());
    return of(snapshot, device, state, history.active().at(oom.event()), request, memory, before);
  }

  /**
   * The report of a hypothetical request in the final state.
   *
   * @param recorded the device of the recording
   */
  public static OomReport ofHypothetical(
      Snapshot snapshot,
      DeviceSnapshot device,
      long requestedBytes,
      long stream,
      RecordedDevice recorded) {
    SizeRules sizes = SizeRules.of(snapshot.settings());
    Request request = Request.hypothetical(requestedBytes, stream, sizes, device.facts().family());
    return of(
        snapshot,
        device,
        AllocatorState.end(device),
        recorded.liveBytesAtEnd(),
        request,
        recorded.atEnd(),
        new Before(
            0,
            StepHistory.NONE,
            RecordingStart.NOTHING_UNSEEN,
            recorded.refusedReservedBytes(sizes)));
  }

  private static OomReport of(
      Snapshot snapshot,
      DeviceSnapshot device,
      AllocatorState state,
      long liveBytes,
      Request request,
      DeviceMemory memory,
      Before before) {
    SizeRules sizes = SizeRules.of(snapshot.settings());
    List<Candidate> candidates = new ArrayList<>();
    for (Segment segment : state.segments()) {
      for (Block block : segment.blocks()) {
        if (block.state() != BlockState.ALLOCATED) {
          candidates.add(Candidate.of(segment, block, request, sizes));
        }
      }
    }
    candidates.sort(Candidate.NEAREST_FIRST);
    Moment moment = new Moment(snapshot, device, state, liveBytes, request, candidates, before);
    RequestState requestState = moment.with(memory, List.of());
    Diagnosis diagnosis = diagnosis(requestState);
    List<RequestState> alternatives =
        memory.doubt().alternatives().stream().map(other -> moment.with(other, List.of())).toList();
    boolean isSame = alternatives.stream().allMatch(other -> isSame(diagnosis(other), diagnosis));
    Diagnosis result =
        isSame ? diagnosis : diagnosis(moment.with(memory, List.of(memory.doubt().reason())));
    Counterfactuals counterfactuals =
        StateCounterfactuals.of(requestState)
            .doubted(
                alternatives.stream().map(StateCounterfactuals::of).toList(),
                memory.doubt().reason());
    return new OomReport(
        request,
        result.verdict(),
        result.alsoPresent(),
        counterfactuals,
        state,
        candidates,
        requestState.free(),
        requestState.ledger(),
        Frees.of(requestState));
  }

  /** Whether one conclusion supports the other. */
  private static boolean isSame(Diagnosis one, Diagnosis other) {
    return one.verdict().cause() == other.verdict().cause()
        && one.verdict().certainty() == other.verdict().certainty()
        && one.alsoPresent().equals(other.alsoPresent());
  }

  /** What is known of a request, apart from the device. */
  private record Moment(
      Snapshot snapshot,
      DeviceSnapshot device,
      AllocatorState state,
      long liveBytes,
      Request request,
      List<Candidate> candidates,
      Before before) {
    /** The request on a device. */
    RequestState with(DeviceMemory memory, List<String> doubts) {
      SizeRules sizes = SizeRules.of(snapshot.settings());
      Ledger ledger =
          request.family() == AllocatorFamily.CACHING
              ? Ledger.of(
                  state,
                  sizes,
                  memory,
                  new Ledger.Placement(request.stream(), request.kind(), request.pool()))
              : Ledger.of(device, state, liveBytes, sizes, memory);
      boolean refusesWithoutRetry =
          snapshot
              .settings()
              .flatMap(AllocatorSettings::configuration)
              .filter(text -> text.contains("throw_on_cudamalloc_oom"))
              .isPresent();
      return new RequestState(
          request,
          state,
          sizes,
          candidates,
          FreeBytes.of(candidates),
          ledger,
          device.facts(),
          DeviceAtRequest.of(
              ledger,
              device.facts(),
              snapshot.settings(),
              ledger.reservedBytes() + mostDriverRounding(),
              memory.limitBytes()),
          Releasable.of(state.segments(), request, sizes),
          before,
          refusesWithoutRetry,
          doubts);
    }

    /** What the driver may have added to the blocks of a direct allocator: it allocates pages. */
    private long mostDriverRounding() {
      return request.family() == AllocatorFamily.DIRECT
          ? state.segments().stream()
              .mapToLong(
                  segment ->
                      Math.ceilDiv(segment.bytes(), DirectFit.GRANULARITY_BYTES)
                              * DirectFit.GRANULARITY_BYTES
                          - segment.bytes())
              .sum()
          : 0;
    }
  }

  /** Bytes that the allocator released for a request before it failed. */
  private static long releasedBefore(Trace trace, int oom) {
    long released = 0;
    for (int event = oom - 1; event >= 0; event--) {
      switch (trace.action(event)) {
        case SEGMENT_FREE, SEGMENT_UNMAP -> released += trace.bytes(event);
        case FREE_COMPLETED, SEGMENT_MAP -> {
          // Pending frees complete first; pages that were mapped in vain are unmapped again.
          if (trace.action(event) == TraceAction.SEGMENT_MAP) {
            released -= trace.bytes(event);
          }
        }
        default -> {
          return Math.max(0, released);
        }
      }
    }
    return Math.max(0, released);
  }

  private static Diagnosis diagnosis(RequestState state) {
    Failure failure = new Failure(state, StateCounterfactuals.of(state));
    if (state.request().isRecorded()) {
      return failure.diagnosis();
    }
    return switch (state.request().family()) {
      case CACHING -> new CachingFit(state, failure).diagnosis();
      case BFC -> new BfcFit(state, failure).diagnosis();
      case DIRECT -> new DirectFit(state, failure).diagnosis();
      case UNRECORDED -> failure.withoutSegments(" may fit or not. ");
    };
  }

  /** Whether a cause is the first or contributes. */
  public boolean isPresent(Cause cause) {
    return verdict.cause() == cause || alsoPresent.contains(cause);
  }

  /** The blocks that the program holds, after rounding. */
  public long liveBytes() {
    return !ledger.isReservedKnown()
            && ledger.amount(Item.LIVE_REQUESTED) instanceof Amount.Known(long bytes)
        ? bytes
        : state.segments().stream().mapToLong(Segment::allocatedBytes).sum();
  }

  /** What is held outside the allocator, if it is known and a large part of the device; else 0. */
  public long largeOutsideBytes() {
    if (ledger.total() instanceof Amount.Known(long total)
        && ledger.amount(Item.DEVICE_FREE) instanceof Amount.Known(long deviceFree)) {
      long outside = total - deviceFree - ledger.reservedBytes();
      return outside >= CauseRule.LARGE_OUTSIDE * total ? outside : 0;
    }
    return 0;
  }

  /** What live blocks have beyond their requests, because the allocator did not split them. */
  public long unsplitBytes() {
    return ChunkWaste.bytes(request, state);
  }

  /** Free bytes in private pools other than that of the request. */
  public long privatePoolFreeBytes() {
    return candidates.stream()
        .filter(
            candidate ->
                candidate.isFree()
                    && candidate.rejection() instanceof Rejection.OtherPool(PoolId pool)
                    && pool.isPrivate())
        .mapToLong(candidate -> candidate.block().bytes())
        .sum();
  }

  /** The bytes that emptying the cache would release. */
  public long releasableBytes() {
    return switch (ledger.amount(Item.CACHED_RELEASABLE)) {
      case Amount.Known(long bytes) -> bytes;
      case Amount.AtLeast _, Amount.Unknown _ -> 0;
    };
  }
}
