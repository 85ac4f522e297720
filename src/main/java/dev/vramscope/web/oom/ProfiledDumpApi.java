package dev.vramscope.web.oom;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The profile of the moment of a dump as JSON. */
@RestController
@Tag(name = "Analyses")
class ProfiledDumpApi {
  private final SnapshotCache snapshots;
  private final ProfilePartners partners;

  ProfiledDumpApi(SnapshotCache snapshots, ProfilePartners partners) {
    this.snapshots = snapshots;
    this.partners = partners;
  }

  @GetMapping("/api/v1/snapshots/{id}/profile")
  @Operation(
      summary = "What a device memory profile says about a dump",
      description =
          "The profile of JAX with the job, rank and host of the dump whose arrays all have a"
              + " chunk in use of their size, and what allocated them. With profile, that one is"
              + " compared; difference says why it is not of this moment.")
  ProfiledDumpView profile(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String profile) {
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshots.get(id), device);
    if (!ProfilePartners.isPossible(inspection)) {
      throw RefusedRequestException.notFound(
          inspection.device().label() + " is no dump of a BFC allocator",
          "profile",
          "Ask with the ID of a memory dump of TensorFlow or JAX.");
    }
    return partners
        .find(id, inspection, profile)
        .map(ProfiledDumpView::of)
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "No stored profile of this job has arrays of the sizes of these chunks",
                    "profile",
                    "Upload what jax.profiler.save_device_memory_profile wrote in the same process"
                        + " shortly before, with the same job, rank and host."));
  }
}
