package dev.vramscope.postmortem.cause;

import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What shows one cause, and what may be unknown of it. {@link #of} is the table of all causes;
 * their conditions are in {@link CauseRule}, and what is said and advised about them in the
 * explanation.
 *
 * @param numbers the numbers that show the cause, as a sentence
 * @param caveats adds why the cause could be another one
 */
record CauseEvidence(
    Function<VerdictText, String> numbers, BiConsumer<Caveats, List<String>> caveats) {
  static CauseEvidence of(Cause cause) {
    return switch (cause) {
      case TOO_MUCH_LIVE -> shownBy(VerdictText::tooMuchLive).unless(Caveats::tooMuchLive);
      case LEAK -> shownBy(VerdictText::leak).unless(Caveats::leak);
      case SPIKE -> shownBy(VerdictText::spike).unless(Caveats::spike);
      case FRAGMENTATION -> shownBy(VerdictText::pieces).unless(Caveats::pieces);
      case CHUNK_WASTE -> shownBy(VerdictText::chunkWaste).unless(Caveats::pieces);
      case OTHER_STREAM -> shownBy(VerdictText::otherStream).unless(Caveats::pieces);
      case OTHER_POOL -> shownBy(VerdictText::otherPool).unless(Caveats::pieces);
      case PENDING_FREES -> shownBy(VerdictText::pendingFrees).unless(Caveats::pieces);
      case CAPTURE_KEEPS_CACHE ->
          shownBy(VerdictText::cacheKeptByCapture).unless(Caveats::cacheKeptByCapture);
      case OUTSIDE_ALLOCATOR -> shownBy(VerdictText::outside);
      case OVERSIZE_RULE -> shownBy(VerdictText::oversizeRule);
      case LIMIT -> shownBy(VerdictText::limit).unless(Caveats::limit);
      case REQUEST_EXCEEDS_POOL -> shownBy(VerdictText::exceedsPool);
      case REQUEST_EXCEEDS_DEVICE ->
          shownBy(VerdictText::exceedsDevice).unless(Caveats::exceedsDevice);
      case FITS, UNKNOWN -> shownBy(_ -> "");
    };
  }

  private static CauseEvidence shownBy(Function<VerdictText, String> numbers) {
    return new CauseEvidence(numbers, (_, _) -> {});
  }

  private CauseEvidence unless(BiConsumer<Caveats, List<String>> unknown) {
    return new CauseEvidence(numbers, unknown);
  }
}
