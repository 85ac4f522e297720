package dev.vramscope.live.workload;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.TracePosition;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run as {@link RunHistory} keeps it after its allocator was closed and after a restart.
 *
 * @param allocator the id of the allocator
 * @param allocatorName its name
 * @param device the name of its device
 * @param simulated whether there was no GPU
 * @param kind the id of the allocator's kind
 * @param settings its settings
 * @param ended when the run ended; null while it is running
 * @param state the id of a {@link WorkloadState}, or {@link #INTERRUPTED}
 * @param failure the error message, or null
 * @param firstMismatch the first block with unexpected contents, or null
 * @param fits the result of a replay that fits, or null
 * @param doesNotFit the result of a replay that does not fit, or null
 * @param postMortem the failed request that ended the run in a stored snapshot, or null
 */
public record EndedRun(
    long allocator,
    String allocatorName,
    String device,
    boolean simulated,
    String kind,
    String settings,
    long run,
    WorkloadRequest request,
    Instant started,
    @Nullable Instant ended,
    String state,
    @Nullable String failure,
    long steps,
    long stepCount,
    long allocations,
    long filledBytes,
    long checks,
    long mismatches,
    @Nullable Mismatch firstMismatch,
    long ooms,
    long oomsRecovered,
    long peakBytes,
    MemoryVerdict.@Nullable Fits fits,
    MemoryVerdict.@Nullable DoesNotFit doesNotFit,
    @Nullable TracePosition postMortem) {
  /** The state of a run that was active when the process was killed. */
  public static final String INTERRUPTED = "interrupted";

  private static final String RUNNING = new WorkloadState.Running().id();

  static EndedRun of(HostedAllocator hosted, WorkloadRun run, Instant started, Instant now) {
    WorkloadProgress progress = run.progress();
    boolean isRunning = progress.state().isRunning();
    return new EndedRun(
        hosted.id(),
        hosted.name(),
        hosted.device().name(),
        hosted.device().isSimulated(),
        hosted.kind().id(),
        hosted.settings(),
        run.id(),
        run.request(),
        started,
        isRunning ? null : now,
        progress.state().id(),
        progress.state() instanceof WorkloadState.Failed(String reason) ? reason : null,
        progress.steps(),
        progress.stepCount(),
        progress.allocations(),
        progress.filledBytes(),
        progress.checks(),
        progress.mismatches(),
        progress.firstMismatch(),
        progress.ooms(),
        progress.oomsRecovered(),
        progress.peakBytes(),
        progress.verdict() instanceof MemoryVerdict.Fits fits ? fits : null,
        progress.verdict() instanceof MemoryVerdict.DoesNotFit no ? no : null,
        Optional.ofNullable(run.incident())
            .flatMap(incident -> incident.snapshot().inSomeTrace())
            .orElse(null));
  }

  @JsonIgnore
  public boolean isRunning() {
    return state.equals(RUNNING);
  }

  boolean isOf(long otherAllocator, long otherRun) {
    return allocator == otherAllocator && run == otherRun;
  }

  /** The same run, found in the file of an earlier process. */
  EndedRun afterRestart() {
    return isRunning() ? withState(INTERRUPTED) : this;
  }

  private EndedRun withState(String other) {
    return new EndedRun(
        allocator,
        allocatorName,
        device,
        simulated,
        kind,
        settings,
        run,
        request,
        started,
        ended,
        other,
        failure,
        steps,
        stepCount,
        allocations,
        filledBytes,
        checks,
        mismatches,
        firstMismatch,
        ooms,
        oomsRecovered,
        peakBytes,
        fits,
        doesNotFit,
        postMortem);
  }
}
