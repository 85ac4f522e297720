package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.sites.LeakSuspects;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.StepHistory;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.Optional;

/**
 * What the steps before a failure show a reader, if its cause is in them.
 *
 * @param steps growth and peaks
 * @param suspects the lines whose memory grows
 */
record StepFacts(StepHistory steps, LeakSuspects suspects) {
  /** Said after what depends on where a step begins or ends, if nothing in the file marks it. */
  static final String GUESSED_BOUNDS = " Where a step begins and ends is a guess.";

  /** The facts about a leak or a spike; empty if there is neither. */
  static Optional<StepFacts> of(
      OomReport report, Trace trace, RecordedHistory history, StackClasses stacks) {
    if (!report.isPresent(Cause.LEAK) && !report.isPresent(Cause.SPIKE)) {
      return Optional.empty();
    }
    Request request = report.request();
    StepHistory steps = StepHistory.of(trace, history, request.event(), request.roundedBytes());
    return Optional.of(
        new StepFacts(steps, LeakSuspects.of(history.lifetimes(), steps.steps(), stacks)));
  }

  /** The line whose memory grows most, if it has a stack. */
  Optional<LeakSuspects.Row> largestSuspect() {
    return suspects.rows().stream().filter(row -> row.stack() != StackTable.NONE).findFirst();
  }

  /** "In 31 steps the memory in use has grown by 9.1 GiB, about 300 MiB in each". */
  void appendGrowth(Sentence.Builder text) {
    text.words("in ")
        .counted(steps.stepCount(), "step")
        .words(steps.guess())
        .words(" the memory in use grew by ")
        .bytes(steps.growth().grownBytes())
        .words(", about ")
        .bytes(Math.round(steps.growth().bytesPerStep()))
        .words(" in each");
  }

  /** "this step needed at least 18 GiB; the 12 steps before it needed at most 9 GiB". */
  void appendPeaks(Sentence.Builder text) {
    text.words("this step needed at least ")
        .bytes(steps.failingPeakBytes())
        .words("; the ")
        .counted(steps.stepCount(), "step")
        .words(" before it")
        .words(steps.guess())
        .words(" needed at most ")
        .bytes(steps.largestPeakBytes());
  }
}
