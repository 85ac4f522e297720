package dev.vramscope.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Frame;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.Candidate;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.Refusal;
import dev.vramscope.postmortem.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A post-mortem in JSON: the verdict first, addresses as hex text, what is unknown left out.
 *
 * @param candidateCount how many blocks held no client's data; {@code candidates} may be cut
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record OomView(
    Verdict verdict,
    Asked asked,
    LedgerView ledger,
    long usableFreeBytes,
    long largestUsableBytes,
    long cachedBytes,
    long releasableBytes,
    int candidateCount,
    List<Place> candidates) {

  /** What was asked; {@code event} is missing for a supposed request. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Asked(
      @Nullable Integer event,
      long requestedBytes,
      long roundedBytes,
      long segmentBytes,
      long stream,
      PoolKind kind,
      @Nullable String pool,
      @Nullable Long timeMicros,
      @Nullable Frame site,
      @Nullable Long deviceFreeBytes) {}

  /** A block that held no client's data, and why it did not serve. */
  record Place(
      String address,
      long bytes,
      BlockState state,
      String segment,
      long stream,
      PoolKind kind,
      String pool,
      boolean expandable,
      long missingBytes,
      String refusal,
      String reason) {}

  static OomView of(OomReport report, int limit) {
    OomReport.Asked asked = report.asked();
    return new OomView(
        report.verdict(),
        new Asked(
            asked.event() == Lifetimes.NEVER ? null : asked.event(),
            asked.requestedBytes(),
            asked.roundedBytes(),
            asked.segmentBytes(),
            asked.stream(),
            asked.kind(),
            asked.pool() == null ? null : asked.pool().toString(),
            asked.timeMicros() == Trace.NO_TIME ? null : asked.timeMicros(),
            asked.site(),
            asked.deviceFreeBytes() == OomEvent.UNKNOWN ? null : asked.deviceFreeBytes()),
        LedgerView.of(report.ledger()),
        report.usableFreeBytes(),
        report.largestUsableBytes(),
        report.cachedBytes(),
        report.releasableBytes(),
        report.candidates().size(),
        report.candidates().stream().limit(limit).map(OomView::place).toList());
  }

  private static Place place(Candidate candidate) {
    Glass glass = new Glass();
    Block block = candidate.block();
    return new Place(
        glass.hex(block.address()),
        block.bytes(),
        block.state(),
        glass.hex(candidate.segmentAddress()),
        candidate.stream(),
        candidate.kind(),
        candidate.pool().toString(),
        candidate.expandable(),
        candidate.missingBytes(),
        candidate.refusal().getClass().getSimpleName(),
        reason(candidate.refusal()));
  }

  /** A refusal in words. */
  static String reason(Refusal refusal) {
    Glass glass = new Glass();
    return switch (refusal) {
      case Refusal.TooSmall(long missing) -> "too small by " + glass.bytes(missing);
      case Refusal.ExpandableTail(long missing) ->
          "free end of an expandable segment: " + glass.bytes(missing) + " more could not be mapped";
      case Refusal.OversizeRule(long limit) ->
          "oversize rule: blocks of " + glass.bytes(limit) + " and more are not split";
      case Refusal.OtherStream(long stream) -> "large enough, but of stream " + glass.stream(stream);
      case Refusal.OtherKind(PoolKind kind) ->
          "large enough, but in the " + glass.lower(kind) + " pool";
      case Refusal.PrivatePool(var pool) -> "large enough, but in private pool " + pool;
      case Refusal.WaitingForStream() -> "freed, but another stream may still be using it";
      case Refusal.Unexplained() ->
          "by what the trace shows it would have fitted: the recording is incomplete";
    };
  }
}
