package dev.vramscope.postmortem.cause;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StreamText;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A request and the state of the allocator and its device at that moment.
 *
 * @param device the device around the allocator
 * @param releasable what the allocator would release before the request fails
 * @param before what the recording shows of the time before the request
 * @param refusesWithoutRetry whether the settings contain a key under which PyTorch may refuse a
 *     request without emptying its cache
 * @param doubts reasons why numbers from outside the recording could be others, which matters
 */
public record RequestState(
    Request request,
    AllocatorState state,
    SizeRules sizes,
    List<Candidate> candidates,
    FreeBytes free,
    Ledger ledger,
    AllocatorFacts facts,
    DeviceAtRequest device,
    Releasable releasable,
    Before before,
    boolean refusesWithoutRetry,
    List<String> doubts) {

  /**
   * What the recording shows of the time before the request.
   *
   * @param releasedBytes segments that the allocator released just before the failure
   * @param steps what the steps before the request show
   * @param start what the recording does not show of the time before it
   * @param refusedReservedBytes reserved bytes that an earlier failure did not reach although the
   *     device had room
   */
  public record Before(
      long releasedBytes,
      StepHistory steps,
      RecordingStart start,
      OptionalLong refusedReservedBytes) {}

  /** Free bytes of the device, if they are known. */
  public OptionalLong deviceFreeBytes() {
    return device.freeBytes();
  }

  /** An upper limit of the free memory of the device: all that the allocator has not reserved. */
  public OptionalLong unreservedBytes() {
    return ledger.total() instanceof Amount.Known(long total)
        ? OptionalLong.of(Math.max(0, total - ledger.reservedBytes()))
        : OptionalLong.empty();
  }

  long knownBytes(Item item) {
    return ledger.amount(item) instanceof Amount.Known(long bytes) ? bytes : 0;
  }

  /** Live bytes: the blocks that clients hold, without what only packing could use. */
  long liveBytes() {
    return knownBytes(Item.LIVE_REQUESTED)
        + knownBytes(Item.ROUNDING)
        + knownBytes(Item.LIVE_REQUEST_UNKNOWN)
        + knownBytes(Item.LIVE_EARLIER)
        - unsplitBytes();
  }

  /** What live blocks have beyond their requests, because the allocator did not split them. */
  long unsplitBytes() {
    return waste().bytes();
  }

  /** The same with what is known of it. */
  public ChunkWaste waste() {
    return ChunkWaste.of(request, state, facts);
  }

  /** All that the allocator holds beside live memory: free, pending, and in unsplit blocks. */
  long notLiveBytes() {
    return free.cached() + free.pendingFree() + unsplitBytes();
  }

  /** The largest free block that was not used for this reason; 0 if there is none. */
  long largestFree(Class<? extends Rejection> reason) {
    return candidates.stream()
        .filter(candidate -> candidate.isFree() && reason.isInstance(candidate.rejection()))
        .mapToLong(candidate -> candidate.block().bytes())
        .max()
        .orElse(0);
  }

  /** Whether the allocator may hold this much more under its limit; true if it has none. */
  boolean isWithinLimit(long moreBytes) {
    return device.isWithinLimit(moreBytes);
  }

  /** The size that is compared with a limit: that of a segment, even if only pages are missing. */
  public long limitedBytes() {
    return request.family() == AllocatorFamily.CACHING
        ? sizes.segmentBytes(request.roundedBytes())
        : request.roundedBytes();
  }

  /** Whether the device had room although no limit of the allocator is recorded. */
  boolean isRefusedByUnknownLimit() {
    return request.isRecorded()
        && !device.isLimited()
        && !facts.isRecorded()
        && deviceFreeBytes().orElse(0) >= neededBytes();
  }

  /** Whether the allocator has a limit of which only the existence is known. */
  public boolean hasUnknownLimit() {
    return isRefusedByUnknownLimit() || (device.isLimited() && device.limitBytes().isEmpty());
  }

  /** The most that the allocator may still acquire without exceeding its limit. */
  long mostUnderLimit() {
    // A limit of unknown size is below what it refused.
    return hasUnknownLimit() ? limitedBytes() - 1 : device.mostUnderLimit();
  }

  /**
   * The bytes to acquire from the driver if no free block is suitable: a segment, or the missing
   * pages of an expandable one.
   */
  long neededBytes() {
    if (request.family() != AllocatorFamily.CACHING || !sizes.isExpandable()) {
      return request.segmentBytes();
    }
    long missingBytes = request.roundedBytes();
    for (Candidate candidate : candidates) {
      if (candidate.rejection() instanceof Rejection.ExpandableTail(long tailMissing)) {
        missingBytes = Math.min(missingBytes, tailMissing);
      }
    }
    long page = sizes.pageBytes(request.kind());
    return Math.ceilDiv(missingBytes, page) * page;
  }

  /** Free segments and pages of the default pools, which emptying the cache releases. */
  long defaultReleasableBytes() {
    return knownBytes(Item.CACHED_RELEASABLE);
  }

  /** Free segments and pages of private pools, which they keep as long as they have users. */
  long privateReleasableBytes() {
    return knownBytes(Item.CACHED_PRIVATE_POOL);
  }

  /**
   * Whether a failed request left memory that the allocator would have released: its last step,
   * which empties the cache, did not run.
   */
  public boolean isCacheKept() {
    return request.isRecorded() && defaultReleasableBytes() > 0;
  }

  /** Whether an earlier failure shows that the allocator cannot reserve this much more. */
  boolean isBeyondRefused(long moreBytes) {
    OptionalLong refused = before.refusedReservedBytes();
    return refused.isPresent() && ledger.reservedBytes() + moreBytes >= refused.getAsLong();
  }

  /** "A request for 20 MiB on stream 0". */
  String subjectWithStream() {
    return subject() + " on stream " + StreamText.of(request.stream());
  }

  /**
   * "A request for 20 MiB". A hypothetical request also has the exact bytes if their rounded text
   * is another size.
   */
  String subject() {
    long bytes = request.requestedBytes();
    String text = ByteText.of(bytes);
    boolean isExact = request.isRecorded() || hasTwoDecimals(bytes);
    return "A request for "
        + text
        + (isExact ? "" : String.format(Locale.ROOT, " (%,d bytes)", bytes));
  }

  /** Whether the two decimals of the text of a size are exact. */
  private static boolean hasTwoDecimals(long bytes) {
    long unit = 1;
    while (bytes / unit >= 1024) {
      unit *= 1024;
    }
    return bytes % unit * 100 % unit == 0;
  }

  /** A verdict whose sentence ends with the cause and the certainty. */
  static Verdict verdict(Cause cause, Certainty certainty, String text, List<String> caveats) {
    String sentence =
        text + ". Cause: " + Verdict.causeText(cause, certainty) + " (" + certainty.label() + ").";
    return new Verdict(cause, certainty, sentence, caveats);
  }

  static Certainty certainty(List<String> caveats) {
    return caveats.isEmpty() ? Certainty.CERTAIN : Certainty.LIKELY;
  }
}
