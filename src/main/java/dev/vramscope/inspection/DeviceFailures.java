package dev.vramscope.inspection;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.postmortem.AllocatorLimit;
import dev.vramscope.postmortem.FailureReplays;
import dev.vramscope.postmortem.OomAnalysis;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.postmortem.SmallestDeviceBySettings;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.postmortem.explanation.HealthyRun;
import dev.vramscope.postmortem.explanation.UnrecordedRequest;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The failed requests of a device and why they failed, or how close a run without one came to it.
 * The latest answers are kept. Thread-safe.
 */
public final class DeviceFailures {
  /** Each has the state of the allocator at the failure. */
  private static final int KEPT = 2;

  private final DeviceInspection inspection;
  private final DeviceSnapshot device;
  private final FailureReplays replays;
  private final SmallestDeviceSearch smallestDevice;
  private final Cache<Question, OomReport> reports = cache();
  private final Cache<Question, Explanation> explanations = cache();
  private final Cache<Hypothesis, OomReport> hypotheses = cache();
  private final Cache<DeviceEvidence, HealthyRun> healthyRuns = cache();

  /**
   * What a post-mortem depends on.
   *
   * @param failure the index of the failure
   * @param evidence what is known of the device besides
   */
  private record Question(int failure, DeviceEvidence evidence) {}

  /** A request that was not made. */
  private record Hypothesis(long requestedBytes, long stream, DeviceEvidence evidence) {}

  DeviceFailures(DeviceInspection inspection) {
    this.inspection = inspection;
    device = inspection.device();
    replays =
        new FailureReplays(
            inspection.snapshot(),
            device,
            inspection.history(),
            inspection.replays()::replayable,
            inspection.knownReplays());
    smallestDevice =
        new SmallestDeviceSearch(inspection.snapshot(), device, inspection.replays()::replayable);
  }

  private static <Q, A> Cache<Q, A> cache() {
    return Caffeine.newBuilder().maximumSize(KEPT).executor(Runnable::run).build();
  }

  /** The post-mortem of the failed request {@code ooms().get(index)}. */
  public OomReport report(int index, DeviceEvidence evidence) {
    return reports.get(new Question(index, evidence), this::report);
  }

  private OomReport report(Question question) {
    OomEvent oom = inspection.ooms().get(question.failure);
    return OomAnalysis.of(
        inspection.snapshot(),
        device,
        inspection.history(),
        oom,
        inspection.recordedDevice(question.evidence).atFailure(oom));
  }

  /**
   * The memory limit that refused the first failed request and that a replay knows only as the size
   * of its device.
   */
  public Optional<AllocatorLimit> limit(DeviceEvidence evidence) {
    return inspection.ooms().isEmpty() ? Optional.empty() : replays.limit(report(0, evidence));
  }

  /**
   * What the post-mortem of the failure {@code ooms().get(index)} means to a reader.
   *
   * @param effort for replays of the run under other settings
   */
  public Explanation explanation(int index, DeviceEvidence evidence, ReplayEffort effort) {
    Question question = new Question(index, evidence);
    Explanation keptExplanation = explanations.getIfPresent(question);
    if (keptExplanation != null) {
      return keptExplanation;
    }
    OomReport report = report(index, evidence);
    Explanation explanation =
        Explanation.of(
            report,
            device,
            inspection.history(),
            inspection.stacks(),
            inspection::uses,
            replays.of(report, inspection.ooms().get(index), effort));
    // Replays that are pending may have been run, by another request, when it is asked for again.
    if (!explanation.remedies().isPending()) {
      explanations.put(question, explanation);
    }
    return explanation;
  }

  /**
   * How close a run without a failure came to one, or null if the recording does not show it.
   *
   * @param effort for replays of the run on smaller devices
   */
  public @Nullable HealthyRun healthyRun(DeviceEvidence evidence, ReplayEffort effort) {
    if (!isHealthy()) {
      return null;
    }
    HealthyRun keptRun = healthyRuns.getIfPresent(evidence);
    if (keptRun != null) {
      return keptRun;
    }
    HealthyRun run = healthyRun(evidence, smallestDevice.smallest(effort));
    if (!smallestDevice.isPending()) {
      healthyRuns.put(evidence, run);
    }
    return run;
  }

  private HealthyRun healthyRun(
      DeviceEvidence evidence, Optional<SmallestDeviceBySettings> smallest) {
    OptionalLong recorded = device.facts().deviceBytes();
    return HealthyRun.of(
        device,
        inspection.lifetimes(),
        inspection.active(),
        inspection.highWaterMark(),
        inspection.stacks(),
        recorded.isPresent() ? recorded : evidence.measuredBytes(),
        smallest,
        inspection.history().steps().source());
  }

  /** Whether the recording shows a run without a failure. */
  private boolean isHealthy() {
    return inspection.ooms().isEmpty()
        && inspection.hasEvents()
        && inspection.highWaterMark().bytes() != 0;
  }

  /** On how small devices a run without a failure would have fitted. */
  public SmallestDeviceSearch smallestDevice() {
    return smallestDevice;
  }

  /** What is known of the failed request of a dump that does not contain it. */
  public UnrecordedRequest unrecordedRequest() {
    return UnrecordedRequest.of(device, inspection.lifetimes(), inspection.stacks());
  }

  /** The post-mortem of a hypothetical request in the final state. */
  public OomReport hypothetical(long requestedBytes, long stream, DeviceEvidence evidence) {
    return hypotheses.get(
        new Hypothesis(requestedBytes, stream, evidence),
        asked ->
            OomAnalysis.ofHypothetical(
                inspection.snapshot(),
                device,
                asked.requestedBytes,
                asked.stream,
                inspection.recordedDevice(asked.evidence)));
  }

  /**
   * The stream to test a request on: that of the failed request {@code ooms().get(n)}; without one,
   * that with the most reserved memory.
   */
  public long defaultStream(int n) {
    return n >= 0 && n < inspection.ooms().size()
        ? device.trace().stream(inspection.ooms().get(n).event())
        : device.fullestStream();
  }
}
