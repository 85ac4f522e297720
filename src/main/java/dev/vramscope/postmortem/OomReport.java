package dev.vramscope.postmortem;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.cause.Candidate;
import dev.vramscope.postmortem.cause.CauseRule;
import dev.vramscope.postmortem.cause.ChunkWaste;
import dev.vramscope.postmortem.cause.Counterfactuals;
import dev.vramscope.postmortem.cause.FreeBytes;
import dev.vramscope.postmortem.cause.Rejection;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import dev.vramscope.postmortem.frees.Frees;
import dev.vramscope.whatif.pool.PoolTrials;
import java.util.List;
import java.util.Optional;
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
 * @param limitBytes the most memory that the allocator may hold, if it is known to have a limit
 * @param waste what live chunks have beyond their requests
 * @param pool what another pool would have done, for a failed request of a BFC allocator
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
    OptionalLong limitBytes,
    ChunkWaste waste,
    Optional<PoolTrials> pool,
    Frees frees) {
  public OomReport {
    alsoPresent = List.copyOf(alsoPresent);
    candidates = List.copyOf(candidates);
  }

  /** Whether a cause is the first or contributes. */
  public boolean isPresent(Cause cause) {
    return verdict.cause() == cause || alsoPresent.contains(cause);
  }

  /** The blocks that the program holds, after rounding. */
  public long liveBytes() {
    if (!ledger.isReservedKnown() || ledger.row(Item.UNRECORDED).isPresent()) {
      // Without segments: what the events say.
      return bytesIfKnown(Item.LIVE_REQUESTED) + bytesIfKnown(Item.LIVE_EARLIER);
    }
    return state.segments().stream().mapToLong(Segment::allocatedBytes).sum();
  }

  private long bytesIfKnown(Item item) {
    return ledger.amount(item) instanceof Amount.Known(long bytes) ? bytes : 0;
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

  /** Free memory of the device, which has to be known, and of the allocator. */
  public long availableBytes() {
    return request.deviceFreeBytes() + free.cached();
  }

  /** What live blocks have beyond their requests, because the allocator did not split them. */
  public long unsplitBytes() {
    return waste.bytes();
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
