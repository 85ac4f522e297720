package dev.vramscope.postmortem;

import dev.vramscope.analysis.HeldSites;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.StackClasses;
import dev.vramscope.model.DeviceSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * The first screen of a failure: what happened, who holds the memory, what to do next.
 *
 * @param whatHappened what was requested and why it could not be served
 * @param whatHolds the lines of code that hold most of the memory
 * @param remedies what would have helped
 */
public record Explanation(Sentence whatHappened, Sentence whatHolds, Remedies remedies) {
  /** The sites that are named. */
  private static final int SITES = 3;

  /**
   * The explanation of a recorded failure.
   *
   * @param tries replays of the run, if there are any
   */
  public static Explanation of(
      OomReport report,
      DeviceSnapshot device,
      RecordedHistory history,
      StackClasses stacks,
      Optional<Tries> tries) {
    CodeLines code = new CodeLines(stacks);
    HeldSites held = HeldSites.at(history.lifetimes(), stacks, report.request().event(), SITES);
    Optional<StepFacts> steps = StepFacts.of(report, device.trace(), history, stacks);
    return new Explanation(
        new WhatHappened(report, device.facts(), code, steps).sentence(),
        new WhatHolds(held, code, report.liveBytes()).at("At that moment"),
        remedies(
            new CauseRemedies(report, device.trace(), held, code, steps).list(),
            tries.map(found -> new ReplayedRemedies(report, found))));
  }

  private static Remedies remedies(List<Remedy> fromCause, Optional<ReplayedRemedies> replayed) {
    Remedies found = new Remedies(fromCause, Sentence.EMPTY);
    return replayed.map(each -> found.with(each.list(), each.note())).orElse(found);
  }

  /** The most effective remedy, with its proof. */
  public Sentence nextStep() {
    return new NextStep(remedies).sentence();
  }

  /** The three sentences in reading order. */
  public List<Sentence> sentences() {
    return List.of(whatHappened, whatHolds, nextStep());
  }
}
