package dev.vramscope.postmortem.explanation;

import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.FreeBytes;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import dev.vramscope.postmortem.explanation.Target.Section.Name;
import java.util.Optional;

/** The part of the sentence about what contributed besides the cause. */
final class ContributingCauses {
  private final OomReport report;
  private final FreeBytes free;
  private final DeviceNumbers numbers;
  private final Optional<StepFacts> steps;

  ContributingCauses(OomReport report, DeviceNumbers numbers, Optional<StepFacts> steps) {
    this.report = report;
    this.numbers = numbers;
    this.steps = steps;
    free = report.free();
  }

  void append(Sentence.Builder text) {
    for (Cause cause : report.alsoPresent()) {
      switch (cause) {
        case FRAGMENTATION ->
            text.words(". Besides, ")
                .bytes(free.usable(), Name.FREE_BLOCKS)
                .words(" was free in pieces that are too small (")
                .term("fragmentation", "fragmentation")
                .words(")");
        case OUTSIDE_ALLOCATOR ->
            numbers
                .outsideBytes()
                .ifPresent(
                    bytes ->
                        text.words(
                                numbers.isEstimated() ? ". Besides, an estimated " : ". Besides, ")
                            .bytes(bytes, Name.LEDGER)
                            .words(" of the GPU was held ")
                            .term("outside", "outside the allocator"));
        case OTHER_STREAM ->
            text.words(". Besides, ")
                .bytes(free.otherStream(), Name.FREE_BLOCKS)
                .words(" was free on another ")
                .term("stream", "stream");
        case OTHER_POOL ->
            text.words(". Besides, ")
                .bytes(free.otherPool() + free.otherKind(), Name.FREE_BLOCKS)
                .words(" was free in another ")
                .term("pool", "pool");
        case PENDING_FREES ->
            text.words(". Besides, ")
                .bytes(free.pendingFree(), Name.FREE_BLOCKS)
                .words(" waited for another stream (")
                .term("pending-free", "pending free")
                .words(")");
        // The sentence about the cause says how much is in use.
        case TOO_MUCH_LIVE -> {}
        case LEAK ->
            steps.ifPresent(
                found -> {
                  text.words(". Besides, ");
                  found.appendGrowth(text);
                });
        case SPIKE ->
            steps.ifPresent(
                found -> {
                  text.words(". Besides, ");
                  found.appendPeaks(text);
                });
        case CAPTURE_KEEPS_CACHE, LIMIT, REQUEST_EXCEEDS_DEVICE, OVERSIZE_RULE, FITS, UNKNOWN -> {}
      }
    }
  }
}
