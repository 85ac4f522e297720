package dev.vramscope.postmortem.cause;

import dev.vramscope.model.BlockState;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Whether PyTorch's caching allocator would serve a hypothetical request, by its own steps: the
 * best fit of the cache; a new segment, or more pages; the same after the cache is emptied. Where a
 * step depends on something that a snapshot does not contain, the answer is not certain.
 */
public final class CachingFit {
  /** Whether the driver would provide the memory, possibly after the cache is emptied. */
  private enum FromDevice {
    YES,
    NO,
    UNKNOWN
  }

  private final RequestState state;
  private final Request request;
  private final SizeRules sizes;
  private final BestFit bestFit;
  private final Releasable releasable;
  private final OptionalLong deviceFree;
  private final Failure failure;

  public CachingFit(RequestState state, Failure failure) {
    this.state = state;
    this.failure = failure;
    request = state.request();
    sizes = state.sizes();
    bestFit = BestFit.of(state.candidates(), request, sizes);
    releasable = state.releasable();
    deviceFree = state.deviceFreeBytes();
  }

  public Diagnosis diagnosis() {
    if (bestFit.isServed()) {
      return servedFromCache();
    }
    return switch (fromDevice()) {
      case YES -> servedByDevice();
      case NO -> mayBeServedFromCache() ? unknown(pendingCaveats()) : wouldFail();
      case UNKNOWN -> unknown(deviceCaveats());
    };
  }

  private Diagnosis servedFromCache() {
    List<String> caveats = failure.caveats();
    if (sizes.maxSplitBytes().isPresent() && hasPendingFree()) {
      caveats.add(
          "Pending frees may complete first and coalesce with the block, which may then be too"
              + " large under max_split_size.");
    }
    Candidate first = bestFit.choices().getFirst();
    String block = ByteText.of(first.block().bytes());
    String where =
        bestFit.only().isPresent()
            ? " fits into the free block of "
                + block
                + " at 0x"
                + Long.toHexString(first.block().address())
            : " fits into a free block of " + block + " or more";
    Certainty certainty = RequestState.certainty(caveats);
    return fits(state.subjectWithStream() + where, certainty, caveats);
  }

  private Diagnosis servedByDevice() {
    long free = deviceFree.orElse(0);
    long needed = neededBytes();
    List<String> caveats = failure.caveats();
    if (!state.facts().isRecorded()) {
      caveats.add(
          "A snapshot does not contain the memory limits of the allocator; other processes may have"
              + " used memory of the device since.");
    } else if (!state.facts().isSimulated()) {
      caveats.add("Other processes may have used memory of the device since.");
    }
    if (state.refusesWithoutRetry()) {
      caveats.add("With throw_on_cudamalloc_oom, the allocator may refuse the request earlier.");
    }
    boolean isDirect =
        free >= needed && state.isWithinLimit(sizes.segmentBytes(request.roundedBytes()));
    String how =
        isDirect
            ? " fits: the driver provides "
                + ByteText.of(needed)
                + " of the "
                + ByteText.of(free)
                + " that the device has free"
            : " fits after "
                + (state.free().pendingFree() > 0 ? "the pending frees and " : "")
                + "emptying the cache: the allocator releases "
                + ByteText.of(releasable.defaultPoolBytes())
                + ", and the device has "
                + ByteText.of(free)
                + " free";
    Certainty certainty = RequestState.certainty(caveats);
    return fits(state.subjectWithStream() + how, certainty, caveats);
  }

  private static Diagnosis fits(String sentence, Certainty certainty, List<String> caveats) {
    return Diagnosis.only(
        new Verdict(Cause.FITS, certainty, sentence + " (" + certainty.label() + ").", caveats));
  }

  private Diagnosis wouldFail() {
    List<String> caveats = failure.caveats();
    if (deviceFree.isPresent() && !state.facts().isRecorded()) {
      caveats.add("Other processes may have released memory of the device since.");
    }
    if (!bestFit.choices().isEmpty()) {
      return failure.of(List.of(Cause.OVERSIZE_RULE), caveats);
    }
    boolean isEnoughFree = deviceFree.orElse(0) >= leastNeededBytes();
    if (isEnoughFree && !state.facts().isRecorded()) {
      caveats.add(
          "A snapshot does not contain the memory limits of the allocator; an earlier request"
              + " failed although the device had room for it.");
    }
    return isEnoughFree ? failure.of(List.of(Cause.LIMIT), caveats) : failure.causes(caveats);
  }

  private Diagnosis unknown(List<String> caveats) {
    return failure.unknown(
        mayBeServedFromCache()
            ? UndecidedOutcome.MAY_FIT_INTO_FREE_BLOCK
            : UndecidedOutcome.DEPENDS_ON_DRIVER,
        caveats);
  }

  private List<String> pendingCaveats() {
    List<String> caveats = failure.caveats();
    caveats.add(
        bestFit.mayBeServed()
            ? "The allocator prefers the block that can grow least. A snapshot does not contain the"
                + " address ranges that this depends on."
            : "A block that is pending free, or in a private pool, may serve it. A snapshot does"
                + " not contain when the frees complete and which pools are fallbacks.");
    return caveats;
  }

  private List<String> deviceCaveats() {
    List<String> caveats = failure.caveats();
    String needed = ByteText.of(neededBytes());
    if (deviceFree.isEmpty()) {
      caveats.add(
          needed
              + " would be requested from the driver. A snapshot does not contain the free memory"
              + " of the device"
              + (state.unreservedBytes().isPresent()
                  ? ", which is at most " + ByteText.of(state.unreservedBytes().getAsLong()) + "."
                  : "."));
    } else {
      caveats.add(
          "Up to "
              + needed
              + " would be requested from the driver. Whether it has to provide that much, or gets"
              + " enough back from the cache, depends on address ranges and private pools that a"
              + " snapshot does not contain.");
    }
    return caveats;
  }

  /** The most memory that the driver has to provide: a segment, or the pages of the whole block. */
  private long neededBytes() {
    return request.segmentBytes();
  }

  /** The least memory that the driver has to provide. */
  private long leastNeededBytes() {
    if (!sizes.isExpandable()) {
      return neededBytes();
    }
    long page = sizes.pageBytes(request.kind());
    long missingBytes = Math.max(1, request.roundedBytes() - releasable.leftoverBytes());
    return Math.ceilDiv(missingBytes, page) * page;
  }

  private FromDevice fromDevice() {
    long sure = releasable.defaultPoolBytes();
    long possible = sure + releasable.privatePoolBytes();
    long segment = sizes.segmentBytes(request.roundedBytes());
    if (!state.isWithinLimit(segment - possible) || state.isBeyondRefused(segment - possible)) {
      return FromDevice.NO;
    }
    OptionalLong mostFree = deviceFree.isPresent() ? deviceFree : state.unreservedBytes();
    if (mostFree.isPresent() && mostFree.getAsLong() + possible < leastNeededBytes()) {
      return FromDevice.NO;
    }
    boolean isEnough =
        deviceFree.isPresent()
            && deviceFree.getAsLong() + sure >= neededBytes()
            && state.isWithinLimit(segment - sure);
    return isEnough ? FromDevice.YES : FromDevice.UNKNOWN;
  }

  /** Whether the cache may serve the request for a reason that a snapshot does not show. */
  private boolean mayBeServedFromCache() {
    return bestFit.mayBeServed()
        || BestFit.couldBeServedLater(state.state().segments(), request)
        || isFallbackPossible();
  }

  /** A private pool may be a fallback for requests of the default pool. */
  private boolean isFallbackPossible() {
    return state.state().segments().stream()
        .filter(segment -> segment.pool().isPrivate())
        .filter(segment -> segment.kind() == request.kind() && segment.stream() == request.stream())
        .flatMap(segment -> segment.blocks().stream())
        .anyMatch(
            block ->
                block.state() != BlockState.ALLOCATED && block.bytes() >= request.roundedBytes());
  }

  private boolean hasPendingFree() {
    List<Segment> placed = new ArrayList<>(state.state().segments());
    placed.removeIf(segment -> !request.isPlacedIn(segment));
    return placed.stream()
        .flatMap(segment -> segment.blocks().stream())
        .anyMatch(block -> block.state() == BlockState.PENDING_FREE);
  }
}
