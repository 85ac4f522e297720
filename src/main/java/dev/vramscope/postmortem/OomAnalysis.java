package dev.vramscope.postmortem;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.DeviceMemory;
import dev.vramscope.analysis.ledger.Ledger.LiveMemory;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.cause.BfcFit;
import dev.vramscope.postmortem.cause.CachingFit;
import dev.vramscope.postmortem.cause.Candidate;
import dev.vramscope.postmortem.cause.ChunkWaste;
import dev.vramscope.postmortem.cause.Counterfactuals;
import dev.vramscope.postmortem.cause.DeviceAtRequest;
import dev.vramscope.postmortem.cause.Diagnosis;
import dev.vramscope.postmortem.cause.DirectFit;
import dev.vramscope.postmortem.cause.Failure;
import dev.vramscope.postmortem.cause.FreeBytes;
import dev.vramscope.postmortem.cause.RecordingStart;
import dev.vramscope.postmortem.cause.Releasable;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.RequestState;
import dev.vramscope.postmortem.cause.RequestState.Before;
import dev.vramscope.postmortem.cause.StateCounterfactuals;
import dev.vramscope.postmortem.cause.StepHistory;
import dev.vramscope.postmortem.cause.UndecidedOutcome;
import dev.vramscope.postmortem.frees.Frees;
import dev.vramscope.whatif.Settings;
import dev.vramscope.whatif.pool.PoolAtFailure;
import dev.vramscope.whatif.pool.PoolTrials;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The way from a request to its report: the state of the allocator, what would have served the
 * request there, and the cause.
 */
public final class OomAnalysis {
  private OomAnalysis() {}

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
    return of(
        RequestContext.of(
            snapshot,
            device,
            sizes,
            state,
            LiveMemory.at(history.active(), oom.event()),
            request,
            before),
        memory);
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
    AllocatorState state = AllocatorState.end(device);
    Before before =
        new Before(
            0,
            StepHistory.NONE,
            RecordingStart.NOTHING_UNSEEN,
            recorded.refusedReservedBytes(sizes));
    return of(
        RequestContext.of(snapshot, device, sizes, state, recorded.liveAtEnd(), request, before),
        recorded.atEnd());
  }

  /** The free blocks of a state, those that nearly serve the request first. */
  private static List<Candidate> freeBlocks(
      AllocatorState state, Request request, SizeRules sizes) {
    List<Candidate> candidates = new ArrayList<>();
    for (Segment segment : state.segments()) {
      for (Block block : segment.blocks()) {
        if (block.state() != BlockState.ALLOCATED) {
          candidates.add(Candidate.of(segment, block, request, sizes));
        }
      }
    }
    candidates.sort(Candidate.NEAREST_FIRST);
    return candidates;
  }

  private static OomReport of(RequestContext context, DeviceMemory memory) {
    Case known = Case.of(context.with(memory, List.of()));
    List<Case> alternatives =
        memory.doubt().alternatives().stream()
            .map(other -> Case.of(context.with(other, List.of())))
            .toList();
    Diagnosis result =
        alternatives.stream().allMatch(known::concludesAs)
            ? known.diagnosis
            : Case.of(context.with(memory, List.of(memory.doubt().reason()))).diagnosis;
    Counterfactuals counterfactuals =
        known.counterfactuals.doubted(
            alternatives.stream().map(Case::counterfactuals).toList(), memory.doubt().reason());
    return new OomReport(
        context.request,
        result.verdict(),
        result.alsoPresent(),
        counterfactuals,
        context.state,
        context.candidates,
        known.state.free(),
        known.state.ledger(),
        known.state.device().limitBytes(),
        known.state.waste(),
        trials(known.state, result),
        Frees.of(known.state));
  }

  /** What another pool would have done with a request that a BFC allocator cannot serve. */
  private static Optional<PoolTrials> trials(RequestState state, Diagnosis result) {
    if (state.request().family() != AllocatorFamily.BFC
        || !result.verdict().cause().isFailure()
        || state.state().segments().isEmpty()) {
      return Optional.empty();
    }
    DeviceAtRequest device = state.device();
    ChunkWaste waste = state.waste();
    return Optional.of(
        PoolTrials.of(
            new PoolAtFailure(
                state.state().segments(),
                state.request().roundedBytes(),
                device.limitBytes(),
                device.totalBytes(),
                waste.bytes(),
                waste.errorBytes(),
                waste.isKnown())));
  }

  /** A request on a device, and what follows. */
  private record Case(RequestState state, Counterfactuals counterfactuals, Diagnosis diagnosis) {
    static Case of(RequestState state) {
      Counterfactuals counterfactuals = StateCounterfactuals.of(state);
      return new Case(state, counterfactuals, diagnosis(state, counterfactuals));
    }

    /** Whether one conclusion supports the other. */
    boolean concludesAs(Case other) {
      return diagnosis.verdict().cause() == other.diagnosis.verdict().cause()
          && diagnosis.verdict().certainty() == other.diagnosis.verdict().certainty()
          && diagnosis.alsoPresent().equals(other.diagnosis.alsoPresent());
    }

    private static Diagnosis diagnosis(RequestState state, Counterfactuals counterfactuals) {
      Failure failure = new Failure(state, counterfactuals);
      if (state.request().isRecorded()) {
        return failure.diagnosis();
      }
      return switch (state.request().family()) {
        case CACHING -> new CachingFit(state, failure).diagnosis();
        case BFC -> new BfcFit(state, failure).diagnosis();
        case DIRECT -> new DirectFit(state, failure).diagnosis();
        case UNRECORDED -> failure.withoutSegments(UndecidedOutcome.MAY_FIT_OR_NOT);
      };
    }
  }

  /** What is known of a request, apart from the memory of the device. */
  private record RequestContext(
      Snapshot snapshot,
      DeviceSnapshot device,
      SizeRules sizes,
      AllocatorState state,
      LiveMemory live,
      Request request,
      List<Candidate> candidates,
      Before before) {
    static RequestContext of(
        Snapshot snapshot,
        DeviceSnapshot device,
        SizeRules sizes,
        AllocatorState state,
        LiveMemory live,
        Request request,
        Before before) {
      List<Candidate> candidates = freeBlocks(state, request, sizes);
      return new RequestContext(snapshot, device, sizes, state, live, request, candidates, before);
    }

    /** The request on a device. */
    RequestState with(DeviceMemory memory, List<String> doubts) {
      Ledger ledger =
          request.family() == AllocatorFamily.CACHING
              ? Ledger.of(
                  state,
                  sizes,
                  memory,
                  new Ledger.Placement(request.stream(), request.kind(), request.pool()))
              : Ledger.of(device, state, live, sizes, memory);
      boolean refusesWithoutRetry =
          Settings.isTrue(snapshot.configuration(), "throw_on_cudamalloc_oom");
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
              snapshot.configuration(),
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
        // Pages that were mapped in vain are unmapped again.
        case SEGMENT_FREE, SEGMENT_UNMAP, SEGMENT_MAP -> released -= trace.reservedChange(event);
        case FREE_COMPLETED -> {
          // Pending frees complete first.
        }
        default -> {
          return Math.max(0, released);
        }
      }
    }
    return Math.max(0, released);
  }
}
