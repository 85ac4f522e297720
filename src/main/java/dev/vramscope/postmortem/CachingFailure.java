package dev.vramscope.postmortem;

import dev.vramscope.analysis.ByteText;
import dev.vramscope.analysis.Ledger.Item;
import dev.vramscope.model.Block;
import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.Verdict.Cause;
import dev.vramscope.postmortem.Verdict.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Derives the cause of a failure of PyTorch's caching allocator from the free blocks, the free
 * memory of the device and the ledger, in steps: was a free block suitable; did the device have
 * enough free memory; would the free bytes be enough if they were contiguous, first the usable
 * ones, then with those of other streams, other pools, and pending frees.
 */
final class CachingFailure {
  private final RequestState found;
  private final Request request;
  private final FreeBytes free;

  CachingFailure(RequestState found) {
    this.found = found;
    request = found.request();
    free = found.free();
  }

  Verdict verdict() {
    // Step 1: a suitable free block contradicts the failure.
    Optional<Candidate> fitting = fitting();
    if (fitting.isPresent()) {
      Block block = fitting.get().block();
      List<String> caveats = caveats();
      caveats.add(
          "According to the trace, the free block of "
              + ByteText.of(block.bytes())
              + " at 0x"
              + Long.toHexString(block.address())
              + " was suitable. A snapshot does not show why it was not used.");
      return verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
    }
    if (isAnyOversize()) {
      return certainOrLikely(Cause.OVERSIZE_RULE);
    }
    // Step 2: a limit of the allocator, or the device had enough free memory.
    if (!found.isWithinLimit(found.sizes().segmentBytes(request.roundedBytes()))) {
      return certainOrLikely(Cause.LIMIT);
    }
    if (request.isDeviceFreeKnown() && request.deviceFreeBytes() >= driverBytes()) {
      List<String> caveats = caveats();
      if (!found.facts().isRecorded()) {
        caveats.add("A snapshot does not contain the memory limits of the allocator.");
        return verdict(Cause.LIMIT, Certainty.LIKELY, caveats);
      }
      caveats.add("The device had enough free memory. A snapshot does not show why it failed.");
      return verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
    }
    // Step 3: would the free bytes be enough if they were contiguous?
    return cause(caveats());
  }

  /** The cause that the free bytes show, with these caveats. */
  Verdict cause(List<String> caveats) {
    long bytes = free.usable();
    if (isEnough(bytes)) {
      return certainOrLikely(Cause.FRAGMENTATION, caveats);
    }
    bytes += free.otherStream();
    if (isEnough(bytes)) {
      return certainOrLikely(Cause.OTHER_STREAM, caveats);
    }
    bytes += free.otherKind() + free.otherPool();
    if (isEnough(bytes)) {
      return certainOrLikely(Cause.OTHER_POOL, caveats);
    }
    if (isEnough(bytes + free.pendingFree())) {
      return certainOrLikely(Cause.PENDING_FREES, caveats);
    }
    if (request.isRecorded() && !request.isDeviceFreeKnown()) {
      caveats.add("The free memory of the device was not recorded.");
    }
    long outside = found.outsideBytes();
    if (outside > found.liveBytes()) {
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
        || (found.deviceFreeBytes().isPresent()
            && bytes + found.deviceFreeBytes().getAsLong() >= request.segmentBytes());
  }

  /** The smallest suitable block: the best fit. */
  private Optional<Candidate> fitting() {
    return found.candidates().stream()
        .filter(candidate -> candidate.rejection() instanceof Rejection.Unexplained)
        .reduce((best, next) -> next.block().bytes() < best.block().bytes() ? next : best);
  }

  boolean isAnyOversize() {
    return found.candidates().stream()
        .map(Candidate::rejection)
        .anyMatch(
            rejection ->
                rejection instanceof Rejection.OversizeRule
                    || rejection instanceof Rejection.OversizeExcess);
  }

  /** The bytes to request from the driver: a segment, or the missing pages of an expandable one. */
  long driverBytes() {
    long missing = request.roundedBytes();
    for (Candidate candidate : found.candidates()) {
      if (candidate.rejection() instanceof Rejection.ExpandableTail(long tailMissing)) {
        missing = Math.min(missing, tailMissing);
      }
    }
    if (!found.sizes().isExpandable()) {
      return request.segmentBytes();
    }
    long page = found.sizes().pageBytes(request.kind());
    return Math.ceilDiv(missing, page) * page;
  }

  /** Reasons why the numbers could be wrong. */
  List<String> caveats() {
    List<String> caveats = new ArrayList<>();
    found.state().findings().forEach(finding -> caveats.add(finding.message()));
    long ambiguous = found.state().ambiguousBytes();
    boolean dependsOnEstimate =
        free.usable() >= request.roundedBytes()
            && free.usable() - ambiguous < request.roundedBytes();
    if (dependsOnEstimate) {
      caveats.add(
          "Block sizes are computed from requested sizes; up to "
              + ByteText.of(ambiguous)
              + " of the free bytes may belong to live blocks.");
    }
    if (!request.isPoolKnown()
        && found.state().segments().stream().anyMatch(CachingFailure::isPrivate)) {
      caveats.add(
          "There are private pools, and the trace does not contain the pool of the request.");
    }
    if (!found.sizes().isRecorded()) {
      caveats.add("The allocator's settings were not recorded; the defaults are assumed.");
    }
    long releasable = found.knownBytes(Item.CACHED_RELEASABLE);
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

  Verdict certainOrLikely(Cause cause, List<String> caveats) {
    return verdict(cause, RequestState.certainty(caveats), caveats);
  }

  Verdict verdict(Cause cause, Certainty certainty, List<String> caveats) {
    String outcome = request.isRecorded() ? " failed. " : " would fail. ";
    return RequestState.verdict(cause, certainty, text(outcome), caveats);
  }

  /** It is unknown whether a hypothetical request would fail. */
  Verdict unknown(String outcome, List<String> caveats) {
    return RequestState.verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, text(outcome), caveats);
  }

  private String text(String outcome) {
    boolean isPast = request.isRecorded();
    String verb = isPast ? "was" : "is";
    StringBuilder text = new StringBuilder(found.subject(true)).append(outcome);
    text.append(ByteText.of(free.cached())).append(' ').append(verb).append(" free in the cache, ");
    if (free.usable() == 0) {
      text.append("none of it in the pool and on the stream of this request");
    } else {
      text.append(free.usable() == free.cached() ? "all" : ByteText.of(free.usable()))
          .append(
              isAnyOversize()
                  ? " of it in the request's pool and stream, where the largest block "
                  : " of it in the pool and on the stream of this request, but the largest block"
                      + " there ")
          .append(verb)
          .append(' ')
          .append(ByteText.of(free.largestUsable()));
    }
    found
        .deviceFreeBytes()
        .ifPresent(
            bytes ->
                text.append(isPast ? "; the device had " : "; the device has ")
                    .append(ByteText.of(bytes))
                    .append(" free"));
    long releasable = found.knownBytes(Item.CACHED_RELEASABLE);
    if (releasable == 0) {
      text.append("; no cached segment ")
          .append(verb)
          .append(" completely free, so emptying the cache ")
          .append(isPast ? "released nothing" : "would release nothing");
    } else {
      text.append("; emptying the cache would release ").append(ByteText.of(releasable));
    }
    return text.toString();
  }
}
