package dev.vramscope.web.sites;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The allocation sites of a device. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}")
@Tag(name = "Analyses")
class SitesApi {
  private static final int MAX_SITES = 2_000;

  private final SnapshotCache snapshots;

  SitesApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  @GetMapping("/sites")
  @Operation(
      summary = "Allocations grouped by the innermost frame of the user's own code",
      description =
          "Allocations without a stack have rows too, so that every column adds up. Most live bytes"
              + " first; nextOffset is the offset of the next page. Long texts are elided. Live is"
              + " active: pendingFreeBytes is the part that is pending free. Without a trace, only"
              + " the state at the end is known, and the other numbers are null.")
  SitesView sites(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int offset,
      @RequestParam(defaultValue = "500") int limit) {
    if (limit < 1 || limit > MAX_SITES) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + MAX_SITES);
    }
    DeviceInspection inspection = ChosenDevice.of(snapshots.get(id), device);
    return SitesView.of(inspection.sites(), inspection.hasEvents(), offset, limit);
  }
}
