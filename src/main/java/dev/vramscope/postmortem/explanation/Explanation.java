package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.sites.HeldSites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.postmortem.ChangedReplays;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.ReplayStatus;
import java.util.ArrayList;
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
   * @param replays of the run under other settings
   */
  public static Explanation of(
      OomReport report,
      DeviceSnapshot device,
      RecordedHistory history,
      StackClasses stacks,
      ReplayStatus replays) {
    CodeLines code = new CodeLines(stacks);
    HeldSites held = HeldSites.at(history.lifetimes(), stacks, report.request().event(), SITES);
    Optional<StepFacts> steps = StepFacts.of(report, device.trace(), history, stacks);
    return new Explanation(
        new FailureSentence(report, device.facts(), code, steps).sentence(),
        new HoldersSentence(
                held, code, device.facts(), report.liveBytes(), report.largeOutsideBytes())
            .at("At that moment"),
        remedies(
            report,
            new CauseRemedies(report, device.trace(), held, code, steps).list(),
            new FreesRemedies(report, code).list(),
            replays));
  }

  private static Remedies remedies(
      OomReport report, List<Remedy> fromCause, List<Remedy> fromFrees, ReplayStatus replays) {
    List<Remedy> all = new ArrayList<>(fromCause);
    all.addAll(fromFrees);
    return switch (replays) {
      case ReplayStatus.Done(ChangedReplays changed) -> {
        ReplayedRemedies replayed = new ReplayedRemedies(report, changed);
        all.addAll(replayed.list());
        yield Remedies.of(all, replayed.note());
      }
      case ReplayStatus.Pending() -> Remedies.withPendingReplays(all);
      case ReplayStatus.Impossible(String reason) -> Remedies.of(all, Sentence.of(reason).build());
    };
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
