package dev.vramscope.postmortem;

import dev.vramscope.analysis.AllocatorState;
import dev.vramscope.analysis.ByteText;
import dev.vramscope.analysis.Ledger;
import dev.vramscope.analysis.Ledger.Amount;
import dev.vramscope.analysis.Ledger.Item;
import dev.vramscope.model.Block;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.postmortem.Verdict.Cause;
import dev.vramscope.postmortem.Verdict.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Derives the verdict from the free blocks, the free memory of the device and the ledger, in steps:
 * was a free block suitable; did the device have enough free memory; would the free bytes be enough
 * if they were contiguous, first the usable ones, then with those of other streams, other pools,
 * and pending frees.
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
    return request.isRecorded() ? explainFailure() : checkFit();
  }

  private Verdict explainFailure() {
    // Step 1: a suitable free block contradicts the failure.
    Optional<Candidate> fitting = fitting();
    if (fitting.isPresent()) {
      List<String> caveats = caveats();
      caveats.add(
          "According to the trace, the free block of "
              + ByteText.of(fitting.get().block().bytes())
              + " at 0x"
              + Long.toHexString(fitting.get().block().address())
              + " was suitable. A snapshot does not show why it was not used.");
      return verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
    }
    if (anyOf(Rejection.OversizeRule.class)) {
      return certainOrLikely(Cause.OVERSIZE_RULE);
    }
    // Step 2: the device had enough free memory.
    if (request.isDeviceFreeKnown() && request.deviceFreeBytes() >= driverBytes()) {
      List<String> caveats = caveats();
      caveats.add("A snapshot does not contain the memory limits of the allocator.");
      return verdict(Cause.LIMIT, Certainty.LIKELY, caveats);
    }
    // Step 3: would the free bytes be enough if they were contiguous?
    return compareFreeBytes();
  }

  private Verdict compareFreeBytes() {
    long bytes = free.usable();
    if (isEnough(bytes)) {
      return certainOrLikely(Cause.FRAGMENTATION);
    }
    bytes += free.otherStream();
    if (isEnough(bytes)) {
      return certainOrLikely(Cause.OTHER_STREAM);
    }
    bytes += free.otherKind() + free.otherPool();
    if (isEnough(bytes)) {
      return certainOrLikely(Cause.OTHER_POOL);
    }
    if (isEnough(bytes + free.pendingFree())) {
      return certainOrLikely(Cause.PENDING_FREES);
    }
    List<String> caveats = caveats();
    if (request.isRecorded() && !request.isDeviceFreeKnown()) {
      caveats.add("The free memory of the device was not recorded.");
    }
    long outside = outsideBytes();
    if (outside
        > knownBytes(Item.LIVE_REQUESTED)
            + knownBytes(Item.ROUNDING)
            + knownBytes(Item.LIVE_REQUEST_UNKNOWN)) {
      caveats.add(
          ByteText.of(outside)
              + " of the device memory is used outside the allocator. A snapshot does not show by"
              + " what.");
      return verdict(Cause.OUTSIDE_ALLOCATOR, Certainty.LIKELY, caveats);
    }
    return certainOrLikely(Cause.TOO_MUCH_LIVE, caveats);
  }

  /**
   * Whether contiguous bytes would be enough for the block or, after returning them to the device,
   * for a segment.
   */
  private boolean isEnough(long bytes) {
    return bytes >= request.roundedBytes()
        || (request.isDeviceFreeKnown()
            && bytes + request.deviceFreeBytes() >= request.segmentBytes());
  }

  /** Device memory used outside the allocator, or 0 if unknown. */
  private long outsideBytes() {
    return request.isDeviceFreeKnown() && ledger.remainder() instanceof Amount.Known(long bytes)
        ? bytes
        : 0;
  }

  private Verdict checkFit() {
    if (fitting().isPresent()) {
      return certainOrLikely(Cause.FITS);
    }
    boolean isTotalKnown = ledger.total() instanceof Amount.Known;
    if (isTotalKnown
        && unreservedBytes() + knownBytes(Item.CACHED_RELEASABLE) < request.segmentBytes()) {
      return compareFreeBytes();
    }
    List<String> caveats = caveats();
    caveats.add(
        ByteText.of(driverBytes())
            + " would be requested from the driver. A snapshot does not contain the free memory of"
            + " the device"
            + (isTotalKnown ? ", which is at most " + ByteText.of(unreservedBytes()) + "." : "."));
    return verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
  }

  /** An upper limit of the free memory of the device: all that the allocator has not reserved. */
  private long unreservedBytes() {
    return ledger.total() instanceof Amount.Known(long total)
        ? Math.max(0, total - ledger.reservedBytes())
        : 0;
  }

  /** The smallest suitable block: the best fit. */
  private Optional<Candidate> fitting() {
    return candidates.stream()
        .filter(candidate -> candidate.rejection() instanceof Rejection.Unexplained)
        .reduce((best, next) -> next.block().bytes() < best.block().bytes() ? next : best);
  }

  private boolean anyOf(Class<? extends Rejection> rejection) {
    return candidates.stream().anyMatch(candidate -> rejection.isInstance(candidate.rejection()));
  }

  /** The bytes to request from the driver: a segment, or the missing pages of an expandable one. */
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

  private long knownBytes(Item item) {
    return ledger.amount(item) instanceof Amount.Known(long bytes) ? bytes : 0;
  }

  /** Reasons why the numbers could be wrong. */
  private List<String> caveats() {
    List<String> caveats = new ArrayList<>();
    state.findings().forEach(finding -> caveats.add(finding.message()));
    boolean dependsOnEstimate =
        free.usable() >= request.roundedBytes()
            && free.usable() - state.ambiguousBytes() < request.roundedBytes();
    if (dependsOnEstimate) {
      caveats.add(
          "Block sizes are computed from requested sizes; up to "
              + ByteText.of(state.ambiguousBytes())
              + " of the free bytes may belong to live blocks.");
    }
    if (!request.isPoolKnown() && state.segments().stream().anyMatch(Diagnosis::isPrivate)) {
      caveats.add(
          "There are private pools, and the trace does not contain the pool of the request.");
    }
    if (!sizes.isRecorded()) {
      caveats.add("The allocator's settings were not recorded; the defaults are assumed.");
    }
    long releasable = knownBytes(Item.CACHED_RELEASABLE);
    if (request.isRecorded()
        && releasable > 0
        && request.isDeviceFreeKnown()
        && request.deviceFreeBytes() + releasable >= driverBytes()) {
      caveats.add(
          "PyTorch empties its cache before a request fails. This would have released "
              + ByteText.of(releasable)
              + ", enough together with the "
              + ByteText.of(request.deviceFreeBytes())
              + " that was free on the device. A snapshot does not show why the request failed"
              + " anyway.");
    }
    return caveats;
  }

  private static boolean isPrivate(Segment segment) {
    return segment.pool().isPrivate();
  }

  private Verdict certainOrLikely(Cause cause) {
    return certainOrLikely(cause, caveats());
  }

  private Verdict certainOrLikely(Cause cause, List<String> caveats) {
    return verdict(cause, caveats.isEmpty() ? Certainty.CERTAIN : Certainty.LIKELY, caveats);
  }

  private Verdict verdict(Cause cause, Certainty certainty, List<String> caveats) {
    return new Verdict(cause, certainty, sentence(cause, certainty), caveats);
  }

  private String sentence(Cause cause, Certainty certainty) {
    String subject =
        "A request for "
            + ByteText.of(request.roundedBytes())
            + " on stream "
            + Long.toUnsignedString(request.stream());
    Optional<Candidate> fitting = cause == Cause.FITS ? fitting() : Optional.empty();
    if (fitting.isPresent()) {
      Block best = fitting.get().block();
      return subject
          + " fits into the free block of "
          + ByteText.of(best.bytes())
          + " at 0x"
          + Long.toHexString(best.address())
          + " ("
          + certainty.label()
          + ").";
    }
    boolean isPast = request.isRecorded();
    String verb = isPast ? "was" : "is";
    StringBuilder text = new StringBuilder(subject);
    if (isPast) {
      text.append(" failed. ");
    } else {
      text.append(cause == Cause.UNKNOWN ? " does not fit into any free block. " : " would fail. ");
    }
    text.append(ByteText.of(free.cached())).append(' ').append(verb).append(" free in the cache, ");
    if (free.usable() == 0) {
      text.append("none of it usable for this request");
    } else {
      text.append(free.usable() == free.cached() ? "all" : ByteText.of(free.usable()))
          .append(" of it usable for this request, but the largest usable block ")
          .append(verb)
          .append(' ')
          .append(ByteText.of(free.largestUsable()));
    }
    if (request.isDeviceFreeKnown()) {
      text.append("; the device had ")
          .append(ByteText.of(request.deviceFreeBytes()))
          .append(" free");
    }
    long releasable = knownBytes(Item.CACHED_RELEASABLE);
    if (releasable == 0) {
      text.append("; no cached segment ")
          .append(verb)
          .append(" completely free, so emptying the cache ")
          .append(isPast ? "released nothing" : "would release nothing");
    } else {
      text.append("; emptying the cache would release ").append(ByteText.of(releasable));
    }
    text.append(". Cause: ").append(cause.label());
    text.append(" (").append(certainty.label()).append(").");
    return text.toString();
  }
}
