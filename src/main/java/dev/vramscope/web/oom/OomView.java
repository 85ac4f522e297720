package dev.vramscope.web.oom;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Candidate;
import dev.vramscope.postmortem.cause.Counterfactuals;
import dev.vramscope.postmortem.cause.FreeBytes;
import dev.vramscope.postmortem.cause.Rejection;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.postmortem.explanation.Remedy;
import dev.vramscope.postmortem.explanation.Sentence;
import dev.vramscope.postmortem.frees.FreeHistogram;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.snapshot.FrameView;
import dev.vramscope.web.snapshot.LedgerView;
import dev.vramscope.whatif.pool.PoolTrials;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A post-mortem in JSON. Addresses are hex text; unknown members are omitted.
 *
 * @param alsoPresent causes that contribute, the most important first
 * @param counterfactuals whether each difference alone would have served the request; null if that
 *     is unknown or does not apply
 * @param counterfactualDetails the same with bytes and reasons
 * @param explanation three texts: what happened, who holds the memory, what to do next; missing for
 *     a hypothetical request
 * @param poolTrials what another pool of a BFC allocator would have done; missing for others
 * @param remedies what would have helped, the most effective first; missing for a hypothetical
 *     request
 * @param cheapestFrees the frees with the least live bytes that would have been enough, at most
 *     three, without common blocks
 * @param largestFit the largest request that would have been served
 * @param histogram the free blocks by size and place
 * @param candidateCount number of free blocks; {@code candidates} may contain fewer
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record OomView(
    Verdict verdict,
    List<Verdict.Cause> alsoPresent,
    Map<String, @Nullable Boolean> counterfactuals,
    List<CounterfactualView> counterfactualDetails,
    @Nullable List<PoolTrialView> poolTrials,
    @Nullable List<String> explanation,
    @Nullable List<RemedyView> remedies,
    RequestView request,
    LedgerView ledger,
    FreeBytes free,
    long releasableBytes,
    List<FreePlanView> cheapestFrees,
    FreePlanView.LargestFitView largestFit,
    FreeHistogram histogram,
    int candidateCount,
    List<CandidateView> candidates) {

  private static final DisplayFormat FORMAT = new DisplayFormat();

  /**
   * One difference and whether it would have served the request.
   *
   * @param bytes the memory that it provides; missing where that is unknown
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record CounterfactualView(
      String name, Counterfactuals.Answer answer, @Nullable Long bytes, String sentence) {}

  /** One difference of the pool of a BFC allocator, and what the allocator did with it. */
  record PoolTrialView(String name, PoolTrials.Answer answer, String sentence) {
    static @Nullable List<PoolTrialView> of(OomReport report) {
      return report
          .pool()
          .map(
              trials ->
                  trials.rows().stream()
                      .map(
                          row ->
                              new PoolTrialView(row.question().id(), row.answer(), row.sentence()))
                      .toList())
          .orElse(null);
    }
  }

  /**
   * What would have helped.
   *
   * @param settings the whole {@code PYTORCH_CUDA_ALLOC_CONF}, if that is to be set
   * @param isEstimated whether the proof stands on a replay that is not known to be exact
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record RemedyView(
      Remedy.Kind kind,
      Remedy.Effect effect,
      String action,
      @Nullable String settings,
      String proof,
      String price,
      boolean isEstimated) {
    static RemedyView of(Remedy remedy) {
      return new RemedyView(
          remedy.kind(),
          remedy.effect(),
          remedy.action().text(),
          remedy.settings().orElse(null),
          remedy.proof().text(),
          remedy.price().text(),
          remedy.isEstimated());
    }
  }

  /** The request; {@code event} is missing for a hypothetical one. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record RequestView(
      @Nullable Integer event,
      long requestedBytes,
      long roundedBytes,
      long segmentBytes,
      long stream,
      PoolKind kind,
      @Nullable String pool,
      @Nullable Long timeMicros,
      @Nullable FrameView site,
      @Nullable Long deviceFreeBytes) {}

  /** A free block and the reason why it was not used. */
  record CandidateView(
      String address,
      long bytes,
      BlockState state,
      String segment,
      long stream,
      PoolKind kind,
      String pool,
      boolean expandable,
      long missingBytes,
      String rejection,
      String reason) {}

  static OomView of(StackClasses stacks, OomQuery.Answer answer, int offset, int limit) {
    OomReport report = answer.report();
    Explanation explanation = answer.explanation();
    Request request = report.request();
    return new OomView(
        report.verdict(),
        report.alsoPresent(),
        answers(report.counterfactuals()),
        report.counterfactuals().rows().stream()
            .filter(row -> !isOfOthers(row, request))
            .map(OomView::counterfactual)
            .toList(),
        PoolTrialView.of(report),
        explanation == null ? null : explanation.sentences().stream().map(Sentence::text).toList(),
        explanation == null
            ? null
            : explanation.remedies().ranked().stream().map(RemedyView::of).toList(),
        new RequestView(
            request.isRecorded() ? request.event() : null,
            request.requestedBytes(),
            request.roundedBytes(),
            request.segmentBytes(),
            request.stream(),
            request.kind(),
            request.isPoolKnown() ? request.pool().toString() : null,
            request.timeMicros() == Trace.NO_TIME ? null : request.timeMicros(),
            FrameView.ofSite(stacks, request.stack()),
            request.isDeviceFreeKnown() ? request.deviceFreeBytes() : null),
        LedgerView.of(report.ledger(), report.request().family()),
        report.free(),
        report.releasableBytes(),
        report.frees().cheapest().plans().stream()
            .map(plan -> FreePlanView.of(stacks, plan))
            .toList(),
        FreePlanView.LargestFitView.of(report.frees().largestFit()),
        report.frees().histogram(),
        report.candidates().size(),
        Slice.of(report.candidates(), offset, limit).rows().stream()
            .map(OomView::candidate)
            .toList());
  }

  /** A BFC allocator has neither a cache nor pools that a reader could ask about. */
  private static boolean isOfOthers(Counterfactuals.Row row, Request request) {
    return request.family() == AllocatorFamily.BFC
        && row.answer() == Counterfactuals.Answer.NOT_APPLICABLE;
  }

  private static Map<String, @Nullable Boolean> answers(Counterfactuals counterfactuals) {
    Map<String, @Nullable Boolean> answers = new LinkedHashMap<>();
    for (Counterfactuals.Row row : counterfactuals.rows()) {
      answers.put(
          row.name().id(),
          switch (row.answer()) {
            case YES -> Boolean.TRUE;
            case NO -> Boolean.FALSE;
            case UNKNOWN, NOT_APPLICABLE -> null;
          });
    }
    return answers;
  }

  private static CounterfactualView counterfactual(Counterfactuals.Row row) {
    return new CounterfactualView(
        row.name().id(),
        row.answer(),
        row.bytes().isPresent() ? row.bytes().getAsLong() : null,
        row.sentence());
  }

  private static CandidateView candidate(Candidate candidate) {
    Block block = candidate.block();
    Segment segment = candidate.segment();
    return new CandidateView(
        FORMAT.hex(block.address()),
        block.bytes(),
        block.state(),
        FORMAT.hex(segment.address()),
        segment.stream(),
        segment.kind(),
        segment.pool().toString(),
        segment.expandable(),
        candidate.missingBytes(),
        candidate.rejection().id(),
        reason(candidate.rejection()));
  }

  /** The reason as text. */
  static String reason(Rejection rejection) {
    return switch (rejection) {
      case Rejection.TooSmall(long missing) -> "too small by " + FORMAT.bytes(missing);
      case Rejection.ExpandableTail(long missing) ->
          "free end of an expandable segment: "
              + FORMAT.bytes(missing)
              + " more could not be mapped";
      case Rejection.OversizeRule(long limit) ->
          "oversize rule: blocks of " + FORMAT.bytes(limit) + " and more are not split";
      case Rejection.OversizeExcess(long limit) ->
          "oversize rule: not split, and larger than the request by "
              + FORMAT.bytes(limit)
              + " or more";
      case Rejection.OtherStream(long stream) -> "belongs to stream " + FORMAT.stream(stream);
      case Rejection.OtherKind(PoolKind kind) -> "in the " + FORMAT.lower(kind) + " pool";
      case Rejection.OtherPool(PoolId pool) ->
          pool.isPrivate() ? "in private pool " + pool : "in the default pool";
      case Rejection.PendingFree() -> "pending free: another stream may still use it";
      case Rejection.Unexplained() ->
          "large enough according to the trace: the recording is incomplete";
    };
  }
}
