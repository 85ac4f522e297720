package dev.vramscope.web.steps;

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

/** The steps of a recording. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/steps")
@Tag(name = "Analyses")
class StepsApi {
  private static final int MAX_STEPS = 500;

  private final SnapshotCache snapshots;

  StepsApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  @GetMapping
  @Operation(
      summary = "The steps of the program: peak, growth, driver calls and retries of each",
      description =
          "source says how the steps were found: from annotations; from the loops that the stacks"
              + " show (loops); from an allocation that recurs at regular intervals (periodicity),"
              + " which is a guess; or not-found. A step has the events 'from' (inclusive) to 'to'"
              + " (exclusive). Driver calls acquire and release segments, or map and unmap ranges."
              + " steadyFrom is the step from which on no step calls the driver; broken is what"
              + " ended the longest sequence of such steps. retryCount is estimated: requests"
              + " directly before which memory was released and then acquired, or that failed after"
              + " a release. by: number, events, time, peak, growth, allocated, calls or failures.")
  StepsView steps(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "number") String by,
      @RequestParam(defaultValue = "0") int offset,
      @RequestParam(defaultValue = "100") int limit) {
    if (limit < 1 || limit > MAX_STEPS) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + MAX_STEPS);
    }
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshots.get(id), device);
    return StepsView.of(inspection.steps(), StepOrder.of(by), inspection.ordinal(), offset, limit);
  }
}
