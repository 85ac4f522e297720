package dev.vramscope.postmortem;

import dev.vramscope.TruthCase;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.whatif.replays.ReplayableRun;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A recorded failure of {@code ooms} or {@code programs} with its last failure explained. */
public record ExplainedCase(
    String name, TruthCase truth, RecordedHistory history, StackClasses stacks) {
  /** The cases of both families with a failure, in order. */
  public static List<ExplainedCase> all() {
    return cases(/* isFailed= */ true);
  }

  /** The cases of both families without a failure, in order. */
  static List<ExplainedCase> healthy() {
    return cases(/* isFailed= */ false);
  }

  private static List<ExplainedCase> cases(boolean isFailed) {
    return Stream.of("ooms", "programs")
        .flatMap(
            family ->
                TruthCase.all(family).stream()
                    .filter(truth -> truth.device().trace().ooms().isEmpty() != isFailed)
                    .map(truth -> of(family + "/" + truth, truth)))
        .toList();
  }

  /** One case, such as {@code ooms/spike}. */
  static ExplainedCase of(String path) {
    return of(path, TruthCase.of(path));
  }

  private static ExplainedCase of(String name, TruthCase truth) {
    return new ExplainedCase(
        name,
        truth,
        RecordedHistory.of(truth.snapshot().stacks(), truth.device()),
        FrameRules.standard().classify(truth.snapshot().stacks()));
  }

  /** The size of the device, which the snapshot does not contain. */
  public OptionalLong totalBytes() {
    return OptionalLong.of(truth.number("totalBytes", 0));
  }

  private OomEvent failure() {
    return truth.device().trace().ooms().getLast();
  }

  /** The report of the last failure. */
  public OomReport report(OptionalLong total) {
    DeviceSnapshot device = truth.device();
    RecordedDevice recorded = new RecordedDevice(device, history.active(), total);
    return OomAnalysis.of(
        truth.snapshot(), device, history, failure(), recorded.atFailure(failure()));
  }

  /** Replays on the whole device. */
  public ChangedReplays tries(OomReport report) {
    return tries(report, run(), KnownReplays.NONE).orElseThrow();
  }

  /** Replays on the whole device, of which some are known. */
  public Optional<ChangedReplays> tries(OomReport report, ReplayableRun run, KnownReplays known) {
    long available = report.ledger().reservedBytes() + failure().deviceFreeBytes();
    long total = totalBytes().getAsLong();
    return SettingsReplays.run(
        truth.snapshot(),
        truth.device(),
        history.steps(),
        run,
        failure().event(),
        new SettingsReplays.Room(
            DeviceSize.of(total, total - available),
            AllocatorLimit.of(
                report,
                truth.device(),
                truth.snapshot().configuration(),
                history.active().peakReservedBytes())),
        known);
  }

  ReplayableRun run() {
    Steps steps = history.steps();
    return new ReplayableRun(
        steps.startCount() > 0,
        /* isComparable= */ true,
        () ->
            RecordedRun.of(truth.snapshot(), truth.device(), history.lifetimes())
                .withSteps(steps.starts()),
        () -> Fidelity.of(truth.snapshot(), truth.device(), history.lifetimes()));
  }

  public Explanation explanation(OptionalLong total) {
    return explanation(total, new ReplayStatus.Done(tries(report(total))));
  }

  public Explanation explanation(OptionalLong total, ReplayStatus replays) {
    OomReport report = report(total);
    return Explanation.of(
        report,
        truth.device(),
        history,
        stacks,
        () -> Uses.of(history.lifetimes(), stacks, truth.device().trace().userMetadata()),
        replays);
  }
}
