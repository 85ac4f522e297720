package dev.vramscope.postmortem.cause;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Certainty;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.List;
import java.util.Optional;

/**
 * Explains a request that failed, or would fail: what contradicts the failure, then its causes by
 * {@link CauseRule}, and whether something unknown could change them.
 */
public final class Failure {
  private final RequestState state;
  private final Request request;
  private final DeviceAtRequest device;
  private final CauseRule rule;
  private final Caveats openQuestions;

  public Failure(RequestState state, Counterfactuals counterfactuals) {
    this.state = state;
    request = state.request();
    device = state.device();
    rule = new CauseRule(state, counterfactuals);
    openQuestions = new Caveats(state, rule);
  }

  /** Explains a recorded failure. */
  public Diagnosis diagnosis() {
    List<String> caveats = caveats();
    if (request.family() == AllocatorFamily.UNRECORDED) {
      return withoutSegments(UndecidedOutcome.FAILED);
    }
    Optional<Candidate> fitting = fitting();
    if (fitting.isPresent()) {
      caveats.add(contradiction(fitting.get().block()));
      return unknown(UndecidedOutcome.FAILED, caveats);
    }
    if (isAnyOversize()) {
      return of(List.of(Cause.OVERSIZE_RULE), caveats);
    }
    boolean isRefused = state.isRefusedByUnknownLimit() || !isWithinLimit();
    if (!isRefused && !device.isLimited() && device.freeBytes().orElse(0) >= state.neededBytes()) {
      caveats.add("The device had enough free memory. A snapshot does not show why it failed.");
      return unknown(UndecidedOutcome.FAILED, caveats);
    }
    return causes(caveats);
  }

  /** The file does not say what the allocator held, so nothing follows. */
  public Diagnosis withoutSegments(UndecidedOutcome outcome) {
    return unknown(
        outcome,
        List.of(
            "The file has requests and frees, but neither the segments of the allocator nor its"
                + " limit, so whether a piece, a limit or the device was too small is unknown."));
  }

  /** The causes, with these caveats and those of the causes themselves. */
  Diagnosis causes(List<String> caveats) {
    List<Cause> causes = rule.causes();
    CauseEvidence.of(causes.getFirst()).caveats().accept(openQuestions, caveats);
    return of(causes, caveats);
  }

  /** These causes, certain without caveats. */
  Diagnosis of(List<Cause> causes, List<String> caveats) {
    Certainty certainty =
        isDecidedBySize(causes.getFirst()) ? Certainty.UNDECIDED : RequestState.certainty(caveats);
    return new Diagnosis(
        RequestState.verdict(
            causes.getFirst(), certainty, new VerdictText(state, rule).of(causes), caveats),
        causes.subList(1, causes.size()));
  }

  /**
   * Whether too much is live only if the device has nothing besides: with more memory than the
   * recording shows, the rest is held outside the allocator.
   */
  private boolean isDecidedBySize(Cause cause) {
    return cause == Cause.TOO_MUCH_LIVE
        && request.isRecorded()
        && device.freeBytes().isPresent()
        && device.totalBytes().isEmpty();
  }

  /** The recording does not decide. */
  Diagnosis unknown(UndecidedOutcome outcome, List<String> caveats) {
    return Diagnosis.only(
        RequestState.verdict(
            Cause.UNKNOWN,
            Certainty.UNDECIDED,
            new VerdictText(state, rule).ofUnknown(outcome),
            caveats));
  }

  private String contradiction(Block block) {
    if (request.family() == AllocatorFamily.BFC) {
      return "The largest free chunk was large enough. With enable_spatial_partitioning it may"
          + " belong to the other end of its region.";
    }
    return "According to the trace, the free block of "
        + ByteText.of(block.bytes())
        + " at 0x"
        + Long.toHexString(block.address())
        + " was suitable. A snapshot does not show why it was not used.";
  }

  private boolean isWithinLimit() {
    return state.isWithinLimit(state.limitedBytes());
  }

  /** The smallest suitable block: the best fit. */
  private Optional<Candidate> fitting() {
    return state.candidates().stream()
        .filter(candidate -> candidate.rejection() instanceof Rejection.Unexplained)
        .reduce((best, next) -> next.block().bytes() < best.block().bytes() ? next : best);
  }

  private boolean isAnyOversize() {
    return state.candidates().stream()
        .map(Candidate::rejection)
        .anyMatch(
            rejection ->
                rejection instanceof Rejection.OversizeRule
                    || rejection instanceof Rejection.OversizeExcess);
  }

  /** Reasons why the numbers could be wrong. */
  List<String> caveats() {
    return openQuestions.ofTheNumbers();
  }
}
