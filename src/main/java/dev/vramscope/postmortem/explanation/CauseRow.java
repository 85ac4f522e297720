package dev.vramscope.postmortem.explanation;

import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What is said and advised about one cause. {@link #of} is the table of all causes; their
 * conditions are in {@link dev.vramscope.postmortem.cause.CauseRule}.
 *
 * @param reason says why the request could not be served, if this is the cause
 * @param besides says what this contributed, if something else is the cause
 * @param remedy against it, if this is the cause
 * @param remedyBesides against it, if something else is the cause
 * @param term the entry of the glossary; empty if there is none
 * @param isOfProgram whether the cause lies in what the program holds, not in the allocator or
 *     outside of it; without the size of the device, others could hold the rest
 * @param delay why a remedy that only gives memory does not help for long; empty if it does
 */
record CauseRow(
    BiConsumer<FailureSentence, Sentence.Builder> reason,
    BiConsumer<ContributingCauses, Sentence.Builder> besides,
    Function<CauseRemedies, Optional<Remedy>> remedy,
    Function<CauseRemedies, Optional<Remedy>> remedyBesides,
    String term,
    boolean isOfProgram,
    String delay) {
  /** Why what only gives more memory does not last against a leak. */
  static final String GROWS_ON = "It only delays the failure: the memory in use goes on growing.";

  private static final String NEARLY_FULL =
      "It does not last: the memory is nearly full of data, so that a later request fails.";

  static CauseRow of(Cause cause) {
    return switch (cause) {
      case TOO_MUCH_LIVE ->
          because(FailureSentence::tooMuchLive)
              .advising(CauseRemedies::holdLess)
              .ofProgram()
              .delayedOnly(NEARLY_FULL);
      case LEAK ->
          because(FailureSentence::leak)
              .besides(ContributingCauses::leak)
              .advising(CauseRemedies::stopGrowth)
              .advisingBesides(CauseRemedies::stopGrowthBesides)
              .term("leak")
              .ofProgram()
              .delayedOnly(GROWS_ON);
      case SPIKE ->
          because(FailureSentence::spike)
              .besides(ContributingCauses::spike)
              .advising(CauseRemedies::smallerStep)
              .advisingBesides(CauseRemedies::smallerStepBesides)
              .term("spike")
              .ofProgram();
      case FRAGMENTATION ->
          because(FailureSentence::fragmentation)
              .besides(ContributingCauses::fragmentation)
              .advising(CauseRemedies::otherPool)
              .term("fragmentation");
      case CHUNK_WASTE ->
          because(FailureSentence::chunkWaste)
              .besides(ContributingCauses::chunkWaste)
              .advising(CauseRemedies::otherPool)
              .advisingBesides(CauseRemedies::otherPool);
      case OTHER_STREAM ->
          because(FailureSentence::otherStream)
              .besides(ContributingCauses::otherStream)
              .advising(CauseRemedies::useOneStream);
      case OTHER_POOL ->
          because(FailureSentence::otherPool)
              .besides(ContributingCauses::otherPool)
              .advising(CauseRemedies::releasePool);
      case PENDING_FREES ->
          because(FailureSentence::pendingFrees)
              .besides(ContributingCauses::pendingFrees)
              .advising(CauseRemedies::waitForStreams);
      case CAPTURE_KEEPS_CACHE ->
          because(FailureSentence::cacheKeptByCapture).advising(CauseRemedies::emptyBeforeCapture);
      case OUTSIDE_ALLOCATOR ->
          because(FailureSentence::outside)
              .besides(ContributingCauses::outside)
              .advising(CauseRemedies::freeOutside)
              .advisingBesides(CauseRemedies::freeOutsideBesides)
              .term("outside");
      case LIMIT ->
          because(FailureSentence::limit).advising(CauseRemedies::raiseLimit).term("memory-limit");
      case REQUEST_EXCEEDS_POOL ->
          because(FailureSentence::exceedsPool)
              .advising(CauseRemedies::raiseLimit)
              .term("memory-limit");
      case REQUEST_EXCEEDS_DEVICE ->
          because(FailureSentence::exceedsDevice)
              .advising(CauseRemedies::smallerRequest)
              .ofProgram();
      case OVERSIZE_RULE ->
          because(FailureSentence::oversizeRule).advising(CauseRemedies::withoutOversizeRule);
      case FITS -> because(FailureSentence::fits);
      case UNKNOWN -> because(FailureSentence::unknown);
    };
  }

  private static CauseRow because(BiConsumer<FailureSentence, Sentence.Builder> reason) {
    return new CauseRow(
        reason,
        (_, _) -> {},
        _ -> Optional.empty(),
        _ -> Optional.empty(),
        "",
        /* isOfProgram= */ false,
        "");
  }

  private CauseRow besides(BiConsumer<ContributingCauses, Sentence.Builder> contribution) {
    return new CauseRow(reason, contribution, remedy, remedyBesides, term, isOfProgram, delay);
  }

  private CauseRow advising(Function<CauseRemedies, Optional<Remedy>> rule) {
    return new CauseRow(reason, besides, rule, remedyBesides, term, isOfProgram, delay);
  }

  private CauseRow advisingBesides(Function<CauseRemedies, Optional<Remedy>> rule) {
    return new CauseRow(reason, besides, remedy, rule, term, isOfProgram, delay);
  }

  private CauseRow term(String entry) {
    return new CauseRow(reason, besides, remedy, remedyBesides, entry, isOfProgram, delay);
  }

  private CauseRow ofProgram() {
    return new CauseRow(
        reason, besides, remedy, remedyBesides, term, /* isOfProgram= */ true, delay);
  }

  private CauseRow delayedOnly(String why) {
    return new CauseRow(reason, besides, remedy, remedyBesides, term, isOfProgram, why);
  }
}
