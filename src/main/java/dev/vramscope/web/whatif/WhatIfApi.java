package dev.vramscope.web.whatif;

import dev.vramscope.web.docs.ApiExamples;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Requesters;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.whatif.replays.WhatIfJob;
import dev.vramscope.whatif.replays.WhatIfJobs;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Duration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Replays of a recording under other settings. */
@RestController
@Tag(name = "Analyses")
class WhatIfApi {
  private static final String PATH = "/api/v1/snapshots/{id}/whatif";
  private static final int MAX_WAIT = 300;

  private final SnapshotCache snapshots;
  private final WhatIfJobs jobs;

  WhatIfApi(SnapshotCache snapshots, WhatIfJobs jobs) {
    this.snapshots = snapshots;
    this.jobs = jobs;
  }

  static String url(WhatIfJob job) {
    return "/api/v1/snapshots/" + job.plan().snapshot() + "/whatif/" + job.id();
  }

  @PostMapping(PATH)
  @Operation(
      summary = "Replay the recording under other settings",
      description =
          "Runs the recorded requests through the allocator on a simulated device, once for each of"
              + " settings. A request that fails is counted and skipped, and the replay goes on to"
              + " the end of the trace; fits is true if none failed. Results are stored: the same"
              + " request again returns them at once.")
  @ApiResponse(responseCode = "200", description = "All rows are finished")
  @ApiResponse(
      responseCode = "202",
      description = "Running; Location is the URL of its progress and result",
      content = @Content(schema = @Schema(implementation = WhatIfView.class)))
  @ApiResponse(
      responseCode = "400",
      description = "A member is not valid, or settings are not accepted",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class),
              examples = @ExampleObject(ApiExamples.WRONG_SETTINGS)))
  @ApiResponse(
      responseCode = "422",
      description = "The snapshot has no trace",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  ResponseEntity<WhatIfView> start(
      @PathVariable String id,
      @RequestParam(defaultValue = "0") int wait,
      @RequestBody WhatIfRequest request)
      throws InterruptedException {
    if (wait < 0 || wait > MAX_WAIT) {
      throw RefusedRequestException.badParameter("wait", wait, "0 to " + MAX_WAIT + " seconds");
    }
    WhatIfJob job = jobs.start(request.plan(id, snapshots.get(id)), Requesters.current().client());
    job.await(Duration.ofSeconds(wait));
    WhatIfView view = WhatIfView.of(job);
    return view.state() == WhatIfJob.State.RUNNING
        ? ResponseEntity.accepted().location(URI.create(url(job))).body(view)
        : ResponseEntity.ok(view);
  }

  @GetMapping(PATH + "/{replays}")
  @Operation(
      summary = "Progress and result of replays",
      description = "202 while they run. Jobs are kept in memory; their results are stored.")
  @ApiResponse(responseCode = "200", description = "Done or cancelled")
  @ApiResponse(
      responseCode = "202",
      description = "Running",
      content = @Content(schema = @Schema(implementation = WhatIfView.class)))
  ResponseEntity<WhatIfView> get(@PathVariable String id, @PathVariable String replays) {
    WhatIfView view = WhatIfView.of(find(id, replays));
    return view.state() == WhatIfJob.State.RUNNING
        ? ResponseEntity.accepted().body(view)
        : ResponseEntity.ok(view);
  }

  @DeleteMapping(PATH + "/{replays}")
  @Operation(
      summary = "Cancel replays",
      description = "Rows that are finished remain. Returns the job; no effect if it has ended.")
  WhatIfView cancel(@PathVariable String id, @PathVariable String replays) {
    WhatIfJob job = find(id, replays);
    job.cancel();
    return WhatIfView.of(job);
  }

  private WhatIfJob find(String id, String job) {
    snapshots.get(id);
    return jobs.find(id, job)
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "Snapshot " + id + " has no what-if job " + job,
                    "/api/v1/snapshots/" + id + "/whatif/" + job,
                    "It ended long ago or before the server's restart. POST the same request again:"
                        + " finished results are stored and return at once."));
  }
}
