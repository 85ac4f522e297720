package dev.vramscope.web.lab;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.live.SnapshotSink;
import dev.vramscope.live.lab.RecordedExperiment;
import dev.vramscope.live.lab.Script;
import dev.vramscope.live.lab.Setup;
import dev.vramscope.live.lab.SnapshotScript;
import dev.vramscope.live.lab.TraceText;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.web.whatif.ReplayInput;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Experiments on allocators of simulated devices. The server keeps nothing between two requests: an
 * experiment is its sides and its script.
 */
@RestController
@Tag(name = "Lab")
class LabApi {
  /** The most events of a recording that become a script. */
  static final int MAX_EVENTS = 5000;

  private final SnapshotCache snapshots;
  private final SnapshotSink sink;
  private final InstantSource clock = InstantSource.system();

  LabApi(SnapshotCache snapshots, SnapshotSink sink) {
    this.snapshots = snapshots;
    this.sink = sink;
  }

  /** The id of a stored snapshot and its post-mortem. */
  record LabSnapshot(String id, String href) {}

  /**
   * A script for the command {@code replay}.
   *
   * @param configuration for the option {@code --config}
   */
  record LabTrace(String trace, String configuration, String allocator) {}

  /**
   * The end of a recording as an experiment.
   *
   * @param openingOperations of the script that allocate what was live before the events
   */
  record LabExperiment(List<LabRequest.LabAllocator> sides, String script, int openingOperations) {}

  @Heavy(WorkKind.LAB)
  @PostMapping("/api/v1/lab/run")
  @Operation(
      summary = "Run a script on allocators",
      description =
          "Runs the script from its start on new allocators, and describes up to 200 of its"
              + " operations: what each allocator did and why, which segments changed, and the"
              + " numbers afterwards. The operations are malloc ID BYTES STREAM, free ID,"
              + " record_stream ID STREAM, launch ID STREAM (a kernel that uses the block), finish"
              + " STREAM (its oldest kernel), sync STREAM, sync_all, empty_cache, external BYTES"
              + " (held by other programs), set_fraction FRACTION, and # TEXT, which names what"
              + " follows. Nothing is stored.")
  @ApiResponse(responseCode = "200", description = "The steps of each side")
  @ApiResponse(
      responseCode = "400",
      description = "A line of the script or the settings are not accepted",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  LabAnswer run(@RequestBody LabRequest request) {
    return LabAnswer.of(
        request.setups(), request.parsed(), request.firstOperation(), request.stepCount());
  }

  @Heavy(WorkKind.LAB)
  @PostMapping("/api/v1/lab/trace")
  @Operation(
      summary = "The script as a trace for the command replay",
      description =
          "Kernels become the events that they delay, so that replay shows the same blocks.")
  @ApiResponse(responseCode = "200", description = "The trace and its configuration")
  LabTrace trace(@RequestParam(defaultValue = "0") int side, @RequestBody LabRequest request) {
    Script script = request.parsed();
    Setup setup = request.setup(side);
    TraceText text = TraceText.of(setup, script);
    return new LabTrace(text.trace(), text.configuration(), text.allocator());
  }

  @Heavy(WorkKind.LAB)
  @PostMapping("/api/v1/lab/snapshot")
  @Operation(
      summary = "Store the state after a script as a snapshot",
      description =
          "With the history of the whole script; labels (# TEXT) are the stacks. Its pages are"
              + " those of any other snapshot, with the post-mortem of a failed request.")
  @ApiResponse(
      responseCode = "201",
      description = "Stored; Location is its URL",
      content = @Content(schema = @Schema(implementation = LabSnapshot.class)))
  ResponseEntity<LabSnapshot> store(
      @RequestParam(defaultValue = "0") int side, @RequestBody LabRequest request) {
    Script script = request.parsed();
    Setup setup = request.setup(side);
    String name =
        "lab, " + setup.kind().id() + " at " + clock.instant().truncatedTo(ChronoUnit.SECONDS);
    String id =
        sink.store(
            RecordedExperiment.snapshot(setup, script, clock),
            name,
            new Tags("lab", null, null, null, List.of("lab")));
    return ResponseEntity.created(URI.create("/api/v1/snapshots/" + id))
        .body(new LabSnapshot(id, "/snapshots/" + id + "/oom"));
  }

  @GetMapping("/api/v1/snapshots/{id}/lab")
  @Operation(
      summary = "The last events of a recording as an experiment",
      description =
          "The script first allocates what was live before the events, in the order of its"
              + " allocation, so its segments are not those of the recording. The device has what"
              + " the recording shows of its size.")
  @ApiResponse(responseCode = "200", description = "Sides and script, for POST /api/v1/lab/run")
  LabExperiment ofSnapshot(
      @PathVariable String id,
      @RequestParam(required = false) @Nullable Integer device,
      @RequestParam(defaultValue = "500") int events) {
    if (events < 1 || events > MAX_EVENTS) {
      throw RefusedRequestException.badParameter("events", events, "1 to " + MAX_EVENTS);
    }
    SnapshotInspection snapshot = snapshots.get(id);
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshot, device);
    ReplayInput.requireTrace(inspection);
    Script script = SnapshotScript.of(inspection.device(), inspection.lifetimes(), events);
    return new LabExperiment(
        List.of(LabSides.of(snapshot, inspection)),
        script.text(),
        SnapshotScript.openingOperations(script));
  }
}
