package dev.vramscope.live.workload;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.TracePosition;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run as {@link RunHistory} keeps it after its allocator was closed and after a restart.
 *
 * <p>In its JSON, which is also the file of the history, the members of its parts are its own.
 *
 * @param ended when the run ended; null while it is running
 * @param state the id of a {@link WorkloadState}, or {@link #INTERRUPTED}
 * @param failure the error message, or null
 * @param fits the result of a replay that fits, or null
 * @param doesNotFit the result of a replay that does not fit, or null
 * @param postMortem the failed request that ended the run in a stored snapshot, or null
 */
public record EndedRun(
    @JsonUnwrapped Host host,
    long run,
    WorkloadRequest request,
    Instant started,
    @Nullable Instant ended,
    String state,
    @Nullable String failure,
    @JsonUnwrapped Counts counts,
    MemoryVerdict.@Nullable Fits fits,
    MemoryVerdict.@Nullable DoesNotFit doesNotFit,
    @Nullable TracePosition postMortem) {
  /**
   * Where it ran.
   *
   * @param allocator the id of the allocator
   * @param allocatorName its name
   * @param device the name of its device
   * @param simulated whether there was no GPU
   * @param kind the id of the allocator's kind
   * @param settings its settings
   */
  public record Host(
      long allocator,
      String allocatorName,
      String device,
      boolean simulated,
      String kind,
      String settings) {
    private static Host of(HostedAllocator hosted) {
      return new Host(
          hosted.id(),
          hosted.name(),
          hosted.device().name(),
          hosted.device().isSimulated(),
          hosted.kind().id(),
          hosted.settings());
    }
  }

  /**
   * What it did; see {@link WorkloadProgress}.
   *
   * @param firstMismatch the first block with unexpected contents, or null
   */
  public record Counts(
      long steps,
      long stepCount,
      long allocations,
      long filledBytes,
      long checks,
      long mismatches,
      @Nullable Mismatch firstMismatch,
      long ooms,
      long oomsRecovered,
      long peakBytes) {
    private static Counts of(WorkloadProgress progress) {
      return new Counts(
          progress.steps(),
          progress.stepCount(),
          progress.allocations(),
          progress.filledBytes(),
          progress.contents().checks(),
          progress.contents().mismatches(),
          progress.contents().firstMismatch(),
          progress.ooms(),
          progress.oomsRecovered(),
          progress.peakBytes());
    }
  }

  /** The state of a run that was active when the process was killed. */
  public static final String INTERRUPTED = "interrupted";

  private static final String RUNNING = new WorkloadState.Running().id();

  static EndedRun of(HostedAllocator hosted, WorkloadRun run, Instant started, Instant now) {
    WorkloadProgress progress = run.progress();
    boolean isRunning = progress.state().isRunning();
    return new EndedRun(
        Host.of(hosted),
        run.id(),
        run.request(),
        started,
        isRunning ? null : now,
        progress.state().id(),
        progress.state() instanceof WorkloadState.Failed(String reason) ? reason : null,
        Counts.of(progress),
        progress.verdict() instanceof MemoryVerdict.Fits fits ? fits : null,
        progress.verdict() instanceof MemoryVerdict.DoesNotFit no ? no : null,
        Optional.ofNullable(run.incident())
            .flatMap(incident -> incident.snapshot().tracePosition())
            .orElse(null));
  }

  @JsonIgnore
  public boolean isRunning() {
    return state.equals(RUNNING);
  }

  boolean isOf(long otherAllocator, long otherRun) {
    return host.allocator() == otherAllocator && run == otherRun;
  }

  /** The same run, found in the file of an earlier process. */
  EndedRun afterRestart() {
    return isRunning() ? withState(INTERRUPTED) : this;
  }

  private EndedRun withState(String other) {
    return new EndedRun(
        host, run, request, started, ended, other, failure, counts, fits, doesNotFit, postMortem);
  }

  // The columns of the page of earlier runs.

  public String allocatorName() {
    return host.allocatorName();
  }

  public String device() {
    return host.device();
  }

  public String kind() {
    return host.kind();
  }

  public String settings() {
    return host.settings();
  }

  public long steps() {
    return counts.steps();
  }

  public long mismatches() {
    return counts.mismatches();
  }

  public long ooms() {
    return counts.ooms();
  }

  public long peakBytes() {
    return counts.peakBytes();
  }
}
