package dev.vramscope.web.live;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.workload.EndedRun;
import dev.vramscope.live.workload.InvalidWorkloadException;
import dev.vramscope.live.workload.RunHistory;
import dev.vramscope.live.workload.WorkloadKind;
import dev.vramscope.live.workload.WorkloadRequest;
import dev.vramscope.live.workload.WorkloadRun;
import dev.vramscope.live.workload.Workloads;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.RefusedRequestException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Workloads that run on hosted allocators. */
@RestController
@Tag(name = "Allocators")
class WorkloadsApi {
  private static final String RUNS = AllocatorsApi.PATH + "/{id}/workloads";

  private final HostedAllocators allocators;
  private final Workloads workloads;
  private final IncidentViews incidents;
  private final RunHistory history;

  WorkloadsApi(
      HostedAllocators allocators,
      Workloads workloads,
      IncidentViews incidents,
      RunHistory history) {
    this.allocators = allocators;
    this.workloads = workloads;
    this.incidents = incidents;
    this.history = history;
  }

  /**
   * The workload to run.
   *
   * @param workload the id of a workload
   * @param steps number of steps, 0 to run until stopped
   * @param seed the seed of the random sizes
   * @param scale multiplies every size
   * @param operationsPerSecond limit on allocations and frees per second, 0 for none
   * @param verify whether blocks are filled with a pattern and checked
   * @param retryAfterOom whether a failed step is retried once after emptying the cache
   * @param snapshot the stored snapshot whose trace is replayed
   */
  record RunRequest(
      @Schema(example = "training-varying") @Nullable String workload,
      @Schema(example = "0") @Nullable Long steps,
      @Schema(example = "1") @Nullable Long seed,
      @Schema(example = "1.0") @Nullable Double scale,
      @Schema(example = "1000") @Nullable Integer operationsPerSecond,
      @Schema(example = "true") @Nullable Boolean verify,
      @Schema(example = "false") @Nullable Boolean retryAfterOom,
      @Nullable String snapshot) {
    WorkloadRequest toWorkloadRequest() {
      return new WorkloadRequest(
          workload == null ? "" : workload,
          steps == null ? 0 : steps,
          seed == null ? 1 : seed,
          scale == null ? 1 : scale,
          operationsPerSecond == null ? 0 : operationsPerSecond,
          verify == null || verify,
          retryAfterOom != null && retryAfterOom,
          snapshot);
    }
  }

  /** A kind of workload. */
  record Kind(String workload, String description) {}

  @GetMapping("/api/v1/workloads")
  @Operation(summary = "The available workloads")
  List<Kind> kinds() {
    return Arrays.stream(WorkloadKind.values())
        .map(kind -> new Kind(kind.id(), kind.description()))
        .toList();
  }

  @GetMapping("/api/v1/runs")
  @Operation(
      summary = "The latest runs of all allocators, newest first",
      description =
          "Also those of closed allocators and of earlier processes. A run that was active when the"
              + " process was killed has the state 'interrupted'.")
  List<EndedRun> history() {
    return history.latest();
  }

  @PostMapping(RUNS)
  @Operation(
      summary = "Run a workload on an allocator",
      description =
          "Allocates, fills, checks and frees blocks until its steps are done or it is stopped."
              + " Blocks with unexpected contents are counted as mismatches.")
  @ApiResponse(responseCode = "201", description = "Running; Location is its URL")
  @ApiResponse(
      responseCode = "400",
      description = "Unknown workload, or invalid value",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  ResponseEntity<WorkloadRunView> start(@PathVariable long id, @RequestBody RunRequest request) {
    HostedAllocator hosted = allocators.find(id);
    try {
      WorkloadRun run = workloads.start(hosted, request.toWorkloadRequest());
      return ResponseEntity.created(
              URI.create(AllocatorsApi.PATH + "/" + id + "/workloads/" + run.id()))
          .body(WorkloadRunView.of(run, hosted, incidents));
    } catch (InvalidWorkloadException invalid) {
      throw RefusedRequestException.badWorkload(
          invalid.parameter(), String.valueOf(invalid.getMessage()));
    }
  }

  @GetMapping(RUNS)
  @Operation(summary = "The runs on an allocator with their progress, oldest first")
  List<WorkloadRunView> list(@PathVariable long id) {
    HostedAllocator hosted = allocators.find(id);
    return workloads.runs(hosted).stream()
        .map(run -> WorkloadRunView.of(run, hosted, incidents))
        .toList();
  }

  @GetMapping(RUNS + "/{run}")
  @Operation(summary = "One run with its progress")
  WorkloadRunView get(@PathVariable long id, @PathVariable long run) {
    HostedAllocator hosted = allocators.find(id);
    return WorkloadRunView.of(find(hosted, run), hosted, incidents);
  }

  @DeleteMapping(RUNS + "/{run}")
  @Operation(
      summary = "Stop a run",
      description = "Returns the final state after all its blocks are freed.")
  WorkloadRunView stop(@PathVariable long id, @PathVariable long run) {
    HostedAllocator hosted = allocators.find(id);
    WorkloadRun workloadRun = find(hosted, run);
    workloadRun.stop();
    return WorkloadRunView.of(workloadRun, hosted, incidents);
  }

  private WorkloadRun find(HostedAllocator hosted, long run) {
    long id = hosted.id();
    return workloads
        .find(hosted, run)
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "Allocator " + id + " has no run " + run,
                    AllocatorsApi.PATH + "/" + id + "/workloads/" + run,
                    "GET " + AllocatorsApi.PATH + "/" + id + "/workloads lists its runs."));
  }
}
