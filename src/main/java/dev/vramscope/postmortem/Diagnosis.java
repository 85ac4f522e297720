package dev.vramscope.postmortem;

import dev.vramscope.analysis.AllocatorState;
import dev.vramscope.analysis.ByteText;
import dev.vramscope.analysis.Ledger;
import dev.vramscope.analysis.Ledger.Amount;
import dev.vramscope.analysis.Ledger.Item;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.postmortem.Verdict.Cause;
import dev.vramscope.postmortem.Verdict.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * From the free blocks, the driver's answer and the ledger to a verdict, as a ladder: would a block
 * have served; had the device room; would the free bytes suffice if they lay together, first those
 * the request could use, then those of other streams, of other pools, those that wait.
 */
final class Diagnosis {
  private final Request request;
  private final AllocatorState state;
  private final SizeRules sizes;
  private final List<Candidate> candidates;
  private final FreeBytes free;
  private final Ledger ledger;

  Diagnosis(
      Request request,
      AllocatorState state,
      SizeRules sizes,
      List<Candidate> candidates,
      FreeBytes free,
      Ledger ledger) {
    this.request = request;
    this.state = state;
    this.sizes = sizes;
    this.candidates = candidates;
    this.free = free;
    this.ledger = ledger;
  }

  Verdict verdict() {
    return request.isRecorded() ? whyItFailed() : whetherItFits();
  }

  private Verdict whyItFailed() {
    // Rung 1: a block that would have served contradicts the failure.
    Optional<Candidate> fitting = fitting();
    if (fitting.isPresent()) {
      List<String> caveats = caveats();
      caveats.add(
          "By the trace a free block of "
              + ByteText.of(fitting.get().block().bytes())
              + " at 0x"
              + Long.toHexString(fitting.get().block().address())
              + " would have served: something that a snapshot does not show refused it.");
      return verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
    }
    if (anyOf(Rejection.OversizeRule.class)) {
      return certainWithoutCaveats(Cause.OVERSIZE_RULE);
    }
    // Rung 2: the driver had the bytes, and yet it did not give them.
    if (request.isDeviceFreeKnown() && request.deviceFreeBytes() >= driverBytes()) {
      List<String> caveats = caveats();
      caveats.add("Limits on the allocator's memory are not recorded in a snapshot.");
      return verdict(Cause.LIMIT, Certainty.LIKELY, caveats);
    }
    // Rung 3: would the free bytes suffice, if they lay together?
    return byAmount();
  }

  private Verdict byAmount() {
    long bytes = free.usable();
    if (suffices(bytes)) {
      return certainWithoutCaveats(Cause.FRAGMENTATION);
    }
    bytes += free.otherStream();
    if (suffices(bytes)) {
      return certainWithoutCaveats(Cause.OTHER_STREAM);
    }
    bytes += free.otherKind() + free.otherPool();
    if (suffices(bytes)) {
      return certainWithoutCaveats(Cause.OTHER_POOL);
    }
    if (suffices(bytes + free.pendingFree())) {
      return certainWithoutCaveats(Cause.PENDING_FREES);
    }
    List<String> caveats = caveats();
    if (request.isRecorded() && !request.isDeviceFreeKnown()) {
      caveats.add("What the device had free was not recorded.");
    }
    long outside = outsideBytes();
    if (outside > known(Item.LIVE_REQUESTED) + known(Item.ROUNDING) + known(Item.LIVE_UNSPLIT)) {
      caveats.add(
          ByteText.of(outside)
              + " of the card are held outside the allocator; by whom, a snapshot does not say.");
      return verdict(Cause.OUTSIDE_ALLOCATOR, Certainty.LIKELY, caveats);
    }
    return certainIfNone(caveats, Cause.TOO_MUCH_LIVE);
  }

  /** Bytes that lie together serve as a block, or joined with the device's as a segment. */
  private boolean suffices(long bytes) {
    return bytes >= request.roundedBytes()
        || (request.isDeviceFreeKnown()
            && bytes + request.deviceFreeBytes() >= request.segmentBytes());
  }

  /** What others hold on the card, 0 when that is not known. */
  private long outsideBytes() {
    return request.isDeviceFreeKnown() && ledger.remainder() instanceof Amount.Known(long bytes)
        ? bytes
        : 0;
  }

  private Verdict whetherItFits() {
    if (fitting().isPresent()) {
      return certainWithoutCaveats(Cause.FITS);
    }
    boolean isRoomKnown = ledger.total() instanceof Amount.Known;
    if (isRoomKnown && room() + known(Item.CACHED_RELEASABLE) < request.segmentBytes()) {
      return byAmount();
    }
    List<String> caveats = caveats();
    caveats.add(
        "The driver would be asked for "
            + ByteText.of(driverBytes())
            + "; a snapshot does not say what the device has free"
            + (isRoomKnown ? ", at most " + ByteText.of(room()) + "." : "."));
    return verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
  }

  /** The most that the device can have free: what the allocator has not reserved. */
  private long room() {
    return ledger.total() instanceof Amount.Known(long total)
        ? Math.max(0, total - ledger.reservedBytes())
        : 0;
  }

  /** The smallest block that serves: the best fit. */
  private Optional<Candidate> fitting() {
    return candidates.stream()
        .filter(candidate -> candidate.rejection() instanceof Rejection.Unexplained)
        .reduce((best, next) -> next.block().bytes() < best.block().bytes() ? next : best);
  }

  private boolean anyOf(Class<? extends Rejection> rejection) {
    return candidates.stream().anyMatch(candidate -> rejection.isInstance(candidate.rejection()));
  }

  /** What the driver is asked for: a segment, or the pages that an expandable one lacks. */
  private long driverBytes() {
    long missing = request.roundedBytes();
    for (Candidate candidate : candidates) {
      if (candidate.rejection() instanceof Rejection.ExpandableTail(long tailMissing)) {
        missing = Math.min(missing, tailMissing);
      }
    }
    return sizes.isExpandable() ? (missing + page() - 1) / page() * page() : request.segmentBytes();
  }

  private long page() {
    return sizes.pageBytes(request.kind());
  }

  private long known(Item item) {
    return ledger.amount(item) instanceof Amount.Known(long bytes) ? bytes : 0;
  }

  /** What could make the numbers wrong. */
  private List<String> caveats() {
    List<String> caveats = new ArrayList<>();
    state.findings().forEach(finding -> caveats.add(finding.message()));
    boolean turnsOnEstimate =
        free.usable() >= request.roundedBytes()
            && free.usable() - state.ambiguousBytes() < request.roundedBytes();
    if (turnsOnEstimate) {
      caveats.add(
          "Block sizes are recovered from requested ones; up to "
              + ByteText.of(state.ambiguousBytes())
              + " of the free bytes may belong to live blocks.");
    }
    if (!request.isPoolKnown() && state.segments().stream().anyMatch(Diagnosis::isPrivate)) {
      caveats.add("There are private pools, and the trace does not say which one was asked.");
    }
    if (!sizes.isRecorded()) {
      caveats.add("The allocator's settings were not recorded; the defaults are assumed.");
    }
    long releasable = known(Item.CACHED_RELEASABLE);
    if (request.isRecorded()
        && releasable > 0
        && request.isDeviceFreeKnown()
        && request.deviceFreeBytes() + releasable >= driverBytes()) {
      caveats.add(
          "PyTorch empties its cache before it gives up. That would have returned "
              + ByteText.of(releasable)
              + ", enough beside the "
              + ByteText.of(request.deviceFreeBytes())
              + " that the device had free: something that a snapshot does not show kept it from"
              + " being enough.");
    }
    return caveats;
  }

  private static boolean isPrivate(Segment segment) {
    return segment.pool().isPrivate();
  }

  private Verdict certainWithoutCaveats(Cause cause) {
    return certainIfNone(caveats(), cause);
  }

  private Verdict certainIfNone(List<String> caveats, Cause cause) {
    return verdict(cause, caveats.isEmpty() ? Certainty.CERTAIN : Certainty.LIKELY, caveats);
  }

  private Verdict verdict(Cause cause, Certainty certainty, List<String> caveats) {
    return new Verdict(cause, certainty, sentence(cause, certainty), caveats);
  }

  private String sentence(Cause cause, Certainty certainty) {
    StringBuilder text = new StringBuilder();
    text.append(request.isRecorded() ? "Asked " : "Asking ")
        .append(ByteText.of(request.roundedBytes()))
        .append(" on stream ")
        .append(Long.toUnsignedString(request.stream()))
        .append(". ");
    if (cause == Cause.FITS) {
      fitting()
          .ifPresent(
              best ->
                  text.append("The free block of ")
                      .append(ByteText.of(best.block().bytes()))
                      .append(" at 0x")
                      .append(Long.toHexString(best.block().address()))
                      .append(" serves it (certainty: ")
                      .append(certainty.label())
                      .append(")."));
      return text.toString();
    }
    text.append(ByteText.of(free.cached())).append(" is free inside the cache, ");
    if (free.usable() == 0) {
      text.append("none of it where the request could use it");
    } else {
      text.append(free.usable() == free.cached() ? "all" : ByteText.of(free.usable()))
          .append(" of it where the request could use it, but the largest usable block is ")
          .append(ByteText.of(free.largestUsable()));
    }
    if (request.isDeviceFreeKnown()) {
      text.append("; the device has ")
          .append(ByteText.of(request.deviceFreeBytes()))
          .append(" free");
    }
    long releasable = known(Item.CACHED_RELEASABLE);
    if (releasable == 0) {
      text.append("; no cached segment is wholly free, so emptying the cache ")
          .append(request.isRecorded() ? "returned nothing" : "would return nothing");
    } else {
      text.append("; emptying the cache would return ").append(ByteText.of(releasable));
    }
    text.append(". Cause: ").append(cause.label());
    text.append(" (").append(certainty.label()).append(").");
    return text.toString();
  }
}
