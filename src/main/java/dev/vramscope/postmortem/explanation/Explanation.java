package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.sites.HeldSites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.ChangedReplays;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.ReplayStatus;
import dev.vramscope.postmortem.program.ProgramMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The first screen of a failure: what happened, who holds the memory, what to do next.
 *
 * @param whatHappened what was requested and why it could not be served
 * @param whatHolds the lines of code that hold most of the memory
 * @param remedies what would have helped
 * @param causeCertainty how sure the cause is that a remedy removes
 */
public record Explanation(
    Sentence whatHappened, Sentence whatHolds, Remedies remedies, Certainty causeCertainty) {
  /** The sites that are named. */
  private static final int SITES = 3;

  /**
   * The explanation of a recorded failure.
   *
   * @param uses of the history's allocations, computed when they matter
   * @param replays of the run under other settings
   */
  public static Explanation of(
      OomReport report,
      DeviceSnapshot device,
      RecordedHistory history,
      StackClasses stacks,
      Supplier<Uses> uses,
      ReplayStatus replays) {
    CodeLines code = new CodeLines(stacks);
    HeldSites held = HeldSites.at(history.lifetimes(), stacks, report.request().event(), SITES);
    Optional<StepFacts> steps = StepFacts.of(report, device.trace(), history, stacks);
    Optional<ProgramMemory> memory =
        CauseRow.of(report.verdict().cause()).isOfProgram() && code.isAnyRecorded()
            ? Optional.of(
                new ProgramMemory(
                    device.trace(),
                    history,
                    stacks,
                    uses.get(),
                    report.request(),
                    steps.map(each -> each.suspects().rows()).orElse(List.of())))
            : Optional.empty();
    HoldersSentence holders =
        new HoldersSentence(
            held, code, device.facts(), report.liveBytes(), report.largeOutsideBytes());
    List<Remedy> ofProgram =
        memory.map(each -> new ProgramRemedies(report, each, code).list()).orElse(List.of());
    return new Explanation(
        new FailureSentence(report, device.facts(), code, steps, memory).sentence(),
        memory.map(holders::within).orElse(holders).at("At that moment"),
        remedies(
            report,
            Stream.of(
                    ofProgram,
                    withoutRepeated(
                        ofProgram,
                        new CauseRemedies(
                                report,
                                device.trace(),
                                held,
                                code,
                                steps,
                                memory,
                                replays instanceof ReplayStatus.Done(ChangedReplays changed)
                                    ? changed.unlimited()
                                    : Optional.empty(),
                                history.steps().source())
                            .list()),
                    new FreesRemedies(report, code).list())
                .flatMap(List::stream)
                .toList(),
            replays,
            device.trace(),
            code,
            history.steps().source()),
        report.verdict().certainty());
  }

  /** What a program should not keep is said once: a rule knows better what that is. */
  private static List<Remedy> withoutRepeated(List<Remedy> ofProgram, List<Remedy> ofCause) {
    boolean isCauseKnown =
        ofProgram.stream().anyMatch(each -> each.effect() == Remedy.Effect.REMOVES_CAUSE);
    return ofCause.stream()
        .filter(
            each ->
                !isCauseKnown
                    || each.kind() != Remedy.Kind.LEAK_LINE
                    || each.effect() != Remedy.Effect.REMOVES_CAUSE)
        .toList();
  }

  private static Remedies remedies(
      OomReport report,
      List<Remedy> withoutReplays,
      ReplayStatus replays,
      Trace trace,
      CodeLines code,
      Steps.Source steps) {
    List<Remedy> all = new ArrayList<>(withoutReplays);
    return switch (replays) {
      case ReplayStatus.Done(ChangedReplays changed) -> {
        ReplayedRemedies replayed = new ReplayedRemedies(report, changed, trace, code, steps);
        all.addAll(replayed.list());
        yield Remedies.of(all, replayed.note());
      }
      case ReplayStatus.Pending() -> Remedies.withPendingReplays(all);
      case ReplayStatus.Impossible(String reason) -> Remedies.of(all, Sentence.of(reason).build());
    };
  }

  /** What a remedy would have given, in a few words. */
  public String effect(Remedy remedy) {
    return remedy.effect().label(causeCertainty);
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
