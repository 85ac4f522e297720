package dev.vramscope.web.budget;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EnteredSize;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What the memory of a device is used for. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}")
@Tag(name = "Analyses")
class BudgetApi {
  private final SnapshotCache snapshots;

  BudgetApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  /** A budget and the ordinal of its device. */
  record DeviceBudget(int device, BudgetView budget) {}

  @GetMapping("/budget")
  @Operation(
      summary = "What the memory is used for: parameters, gradients, activations, …",
      description =
          "The ledger with its live memory divided by use; known rows add up to the total exactly."
              + " at is failure, peak or end; by default failure if a request failed, otherwise"
              + " peak. Uses are estimated from stacks, lifetimes and sizes; isEstimated is false"
              + " if the program declared them. expectedBytes is what training needs by rule.")
  DeviceBudget budget(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String at,
      @RequestParam(defaultValue = "0") int n,
      @RequestParam @Nullable String total) {
    DeviceInspection inspection = ChosenDevice.withSegments(snapshots.get(id), device);
    DeviceEvidence evidence = EnteredSize.required(total, inspection);
    return new DeviceBudget(
        inspection.ordinal(),
        BudgetView.of(
            BudgetChoice.of(at, n, inspection).budget(inspection, evidence),
            inspection.stacks(),
            inspection.family()));
  }
}
