package dev.vramscope.postmortem;

import dev.vramscope.analysis.AllocatorState;
import dev.vramscope.analysis.Ledger;
import dev.vramscope.analysis.Ledger.Amount;
import dev.vramscope.analysis.Ledger.DeviceMemory;
import dev.vramscope.analysis.Ledger.Item;
import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Why a request failed, or whether a hypothetical request would fit.
 *
 * @param request the request
 * @param verdict the cause in one sentence
 * @param state the state of the allocator at that moment
 * @param candidates all free and pending blocks, closest fit first
 * @param free the bytes of the candidates, summed by reason
 * @param ledger the device memory at that moment, for this request
 */
public record OomReport(
    Request request,
    Verdict verdict,
    AllocatorState state,
    List<Candidate> candidates,
    FreeBytes free,
    Ledger ledger) {
  public OomReport {
    candidates = List.copyOf(candidates);
  }

  /**
   * The report of a recorded failure.
   *
   * @param totalBytes the size of the device, if it is known
   */
  public static OomReport of(
      Snapshot snapshot,
      DeviceSnapshot device,
      Lifetimes lifetimes,
      OomEvent oom,
      OptionalLong totalBytes) {
    SizeRules sizes = SizeRules.of(snapshot.settings());
    AllocatorState state = AllocatorState.at(device, lifetimes, sizes, oom.event());
    return of(state, Request.of(device.trace(), oom, sizes), sizes, totalBytes);
  }

  /** The report of a hypothetical request in the final state. */
  public static OomReport ofHypothetical(
      Snapshot snapshot,
      DeviceSnapshot device,
      long requestedBytes,
      long stream,
      OptionalLong totalBytes) {
    SizeRules sizes = SizeRules.of(snapshot.settings());
    Request request = Request.hypothetical(requestedBytes, stream, sizes);
    return of(AllocatorState.end(device), request, sizes, totalBytes);
  }

  private static OomReport of(
      AllocatorState state, Request request, SizeRules sizes, OptionalLong totalBytes) {
    List<Candidate> candidates = new ArrayList<>();
    for (Segment segment : state.segments()) {
      for (Block block : segment.blocks()) {
        if (block.state() != BlockState.ALLOCATED) {
          candidates.add(Candidate.of(segment, block, request, sizes));
        }
      }
    }
    candidates.sort(Candidate.NEAREST_FIRST);
    OptionalLong deviceFree =
        request.isDeviceFreeKnown()
            ? OptionalLong.of(request.deviceFreeBytes())
            : OptionalLong.empty();
    Ledger ledger =
        Ledger.of(
            state,
            sizes,
            new DeviceMemory(totalBytes, deviceFree, OptionalLong.empty(), OptionalLong.empty()),
            new Ledger.Placement(request.stream(), request.kind(), request.pool()));
    FreeBytes free = FreeBytes.of(candidates);
    Verdict verdict = new Diagnosis(request, state, sizes, candidates, free, ledger).verdict();
    return new OomReport(request, verdict, state, candidates, free, ledger);
  }

  /** The bytes that emptying the cache would release. */
  public long releasableBytes() {
    return switch (ledger.amount(Item.CACHED_RELEASABLE)) {
      case Amount.Known(long bytes) -> bytes;
      case Amount.Unknown _ -> 0;
    };
  }
}
