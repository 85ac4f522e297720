package dev.vramscope.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.Candidate;
import dev.vramscope.postmortem.FreeBytes;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.Refusal;
import dev.vramscope.postmortem.Request;
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
    FreeBytes free,
    long releasableBytes,
    int candidateCount,
    List<Place> candidates) {

  private static final DisplayFormat FORMAT = new DisplayFormat();

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
      LoadedSnapshot.@Nullable Line site,
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

  static OomView of(LoadedSnapshot snapshot, OomReport report, int limit) {
    Request request = report.request();
    return new OomView(
        report.verdict(),
        new Asked(
            request.isRecorded() ? request.event() : null,
            request.requestedBytes(),
            request.roundedBytes(),
            request.segmentBytes(),
            request.stream(),
            request.kind(),
            request.isPoolKnown() ? request.pool().toString() : null,
            request.timeMicros() == Trace.NO_TIME ? null : request.timeMicros(),
            snapshot.site(request.stack()),
            request.isDeviceFreeKnown() ? request.deviceFreeBytes() : null),
        LedgerView.of(report.ledger()),
        report.free(),
        report.releasableBytes(),
        report.candidates().size(),
        report.candidates().stream().limit(limit).map(OomView::place).toList());
  }

  private static Place place(Candidate candidate) {
    Block block = candidate.block();
    Segment segment = candidate.segment();
    return new Place(
        FORMAT.hex(block.address()),
        block.bytes(),
        block.state(),
        FORMAT.hex(segment.address()),
        segment.stream(),
        segment.kind(),
        segment.pool().toString(),
        segment.expandable(),
        candidate.missingBytes(),
        candidate.refusal().id(),
        reason(candidate.refusal()));
  }

  /** A refusal in words. */
  static String reason(Refusal refusal) {
    return switch (refusal) {
      case Refusal.TooSmall(long missing) -> "too small by " + FORMAT.bytes(missing);
      case Refusal.ExpandableTail(long missing) ->
          "free end of an expandable segment: "
              + FORMAT.bytes(missing)
              + " more could not be mapped";
      case Refusal.OversizeRule(long limit) ->
          "oversize rule: blocks of " + FORMAT.bytes(limit) + " and more are not split";
      case Refusal.OtherStream(long stream) -> "of stream " + FORMAT.stream(stream);
      case Refusal.OtherKind(PoolKind kind) -> "in the " + FORMAT.lower(kind) + " pool";
      case Refusal.OtherPool(PoolId pool) ->
          pool.isPrivate() ? "in private pool " + pool : "in the default pool";
      case Refusal.WaitingForStream() -> "freed, but another stream may still be using it";
      case Refusal.Unexplained() ->
          "by what the trace shows it would have fitted: the recording is incomplete";
    };
  }
}
