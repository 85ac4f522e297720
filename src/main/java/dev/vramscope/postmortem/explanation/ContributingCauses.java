package dev.vramscope.postmortem.explanation;

import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.FreeBytes;
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
    report.alsoPresent().forEach(cause -> CauseRow.of(cause).besides().accept(this, text));
  }

  void fragmentation(Sentence.Builder text) {
    text.words(". In one piece, the ")
        .bytes(free.usable(), Name.FREE_BLOCKS)
        .words(" that was free would have served this request, too (")
        .term("fragmentation", "fragmentation")
        .words(")");
  }

  void chunkWaste(Sentence.Builder text) {
    text.words(". Besides, ")
        .bytes(report.unsplitBytes(), Name.LEDGER)
        .words(
            " was in chunks in use beyond what was requested: a chunk is split only if half of it"
                + " or 128 MiB would remain");
  }

  void outside(Sentence.Builder text) {
    numbers
        .outsideBytes()
        .ifPresent(
            bytes ->
                text.words(numbers.isEstimated() ? ". Besides, an estimated " : ". Besides, ")
                    .bytes(bytes, Name.LEDGER)
                    .words(" of the GPU was held ")
                    .term("outside", "outside the allocator"));
  }

  void otherStream(Sentence.Builder text) {
    text.words(". Besides, ")
        .bytes(free.otherStream(), Name.FREE_BLOCKS)
        .words(" was free on another ")
        .term("stream", "stream");
  }

  void otherPool(Sentence.Builder text) {
    text.words(". Besides, ")
        .bytes(free.otherPool() + free.otherKind(), Name.FREE_BLOCKS)
        .words(" was free in another ")
        .term("pool", "pool");
  }

  void pendingFrees(Sentence.Builder text) {
    text.words(". Besides, ")
        .bytes(free.pendingFree(), Name.FREE_BLOCKS)
        .words(" waited for another stream (")
        .term("pending-free", "pending free")
        .words(")");
  }

  void leak(Sentence.Builder text) {
    steps.ifPresent(each -> each.appendGrowth(text.words(". Besides, ")));
  }

  void spike(Sentence.Builder text) {
    steps.ifPresent(each -> each.appendPeaks(text.words(". Besides, ")));
  }
}
