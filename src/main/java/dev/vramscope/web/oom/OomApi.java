package dev.vramscope.web.oom;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EnteredSize;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The post-mortem as JSON. */
@RestController
@Tag(name = "Analyses")
class OomApi {
  private static final int MAX_CANDIDATES = 4_000;

  private final SnapshotCache snapshots;

  OomApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  @GetMapping("/api/v1/snapshots/{id}/oom")
  @Operation(
      summary = "Why a request failed",
      description =
          "Explains recorded failure n (0 is the first). With bytes, tests whether a request of"
              + " that size would fit at the end. candidates are the free blocks, closest fit"
              + " first; candidateCount is their number, and offset the first one to return."
              + " explanation says in three texts what happened, who holds the memory and what to"
              + " do next; remedies are ranked, each with its proof. Those that need"
              + " replays of a long recording are included with replays=true.")
  OomView oom(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int n,
      @RequestParam @Nullable String bytes,
      @RequestParam @Nullable Long stream,
      @RequestParam @Nullable String total,
      @RequestParam(defaultValue = "200") int limit,
      @RequestParam(defaultValue = "0") int offset,
      @RequestParam(defaultValue = "false") boolean replays) {
    if (limit < 0 || limit > MAX_CANDIDATES) {
      throw RefusedRequestException.badParameter("limit", limit, "0 to " + MAX_CANDIDATES);
    }
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshots.get(id), device);
    DeviceEvidence evidence = EnteredSize.required(total, inspection);
    OomQuery.Answer answer =
        new OomQuery(n, bytes, stream, ReplayEffort.of(replays))
            .answer(inspection, evidence)
            .orElseThrow(() -> withoutFailure(inspection.device()));
    return OomView.of(inspection.stacks(), answer, offset, limit);
  }

  private static RefusedRequestException withoutFailure(DeviceSnapshot device) {
    return device.isFailedRequestUnknown()
        ? RefusedRequestException.notFound(
            "The request that failed is not in the file of " + device.label(),
            "parameter n",
            "Use ?bytes=2GiB with its size, which the log has in the line 'ran out of memory trying"
                + " to allocate'.")
        : RefusedRequestException.notFound(
            device.label() + " recorded no failed request",
            "parameter n",
            "Use ?bytes=2GiB to test whether a request would fit at the end of the recording.");
  }
}
