package dev.vramscope.web.timeline;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Unchanging;
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

/** The memory of each site in a range of events. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/range")
@Tag(name = "Analyses")
class RangeApi {
  private static final int MAX_SITES = 2_000;

  private final SnapshotCache snapshots;

  RangeApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  @Unchanging
  @GetMapping
  @Operation(
      summary = "What a range of events allocates and frees, by site",
      description =
          "The range contains the events from 'from' (inclusive) to 'to' (exclusive), by default"
              + " the whole trace. Bytes are requested sizes; memory counts until its free is"
              + " completed. ownPeakBytes is the most that a site has at one moment of the range,"
              + " before its first event or after one of them; atPeakBytes is what it has at the"
              + " peak of the range, and adds up to the peak. rest is the sum of the sites that"
              + " are left out. peakEvent is null if the peak is before the first event of the"
              + " range, elapsedMicros if the recording has no times.")
  RangeView range(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int from,
      @RequestParam @Nullable Integer to,
      @RequestParam(defaultValue = "allocated") String by,
      @RequestParam(defaultValue = "100") int limit) {
    if (limit < 1 || limit > MAX_SITES) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + MAX_SITES);
    }
    SnapshotInspection snapshot = snapshots.get(id);
    DeviceInspection inspection = ChosenDevice.withAddresses(snapshot, device);
    int eventCount = inspection.device().trace().size();
    int end = to == null ? eventCount : to;
    if (from < 0 || from > eventCount) {
      throw RefusedRequestException.badParameter("from", from, "0 to " + eventCount);
    }
    if (end < from) {
      throw RefusedRequestException.badParameter("to", end, "from (" + from + ") or more");
    }
    return RangeView.of(
        RangeTable.of(inspection, snapshot.stacks(), from, end, by, limit), inspection.ordinal());
  }
}
