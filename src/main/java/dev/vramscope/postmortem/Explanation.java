package dev.vramscope.postmortem;

import dev.vramscope.analysis.HeldSites;
import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.analysis.StackClasses;
import dev.vramscope.model.DeviceSnapshot;
import java.util.List;

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

  /** The explanation of a recorded failure. */
  public static Explanation of(
      OomReport report, DeviceSnapshot device, Lifetimes lifetimes, StackClasses stacks) {
    CodeLines code = new CodeLines(stacks);
    HeldSites held = HeldSites.at(lifetimes, stacks, report.request().event(), SITES);
    return new Explanation(
        new WhatHappened(report, device.facts(), code).sentence(),
        new WhatHolds(held, code, report.liveBytes()).at("At that moment"),
        new Remedies(new CauseRemedies(report, device.trace(), held, code).list(), false));
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
