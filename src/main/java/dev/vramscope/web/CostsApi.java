package dev.vramscope.web;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.cost.CostMeasurement;
import dev.vramscope.live.cost.CostMeasurements;
import dev.vramscope.live.cost.CostProgress;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Latency of memory calls on the device of a hosted allocator. */
@RestController
@RequestMapping(AllocatorsApi.PATH + "/{id}/costs")
@Tag(name = "Allocators")
class CostsApi {
  private final HostedAllocators allocators;
  private final CostMeasurements costs;

  CostsApi(HostedAllocators allocators, CostMeasurements costs) {
    this.allocators = allocators;
    this.costs = costs;
  }

  @PostMapping
  @Operation(
      summary = "Measure the latency of memory calls",
      description = "On the allocator's device, in the background; GET returns the progress.")
  @ApiResponse(responseCode = "202", description = "Measuring, or already in progress")
  ResponseEntity<CostProgress> start(@PathVariable long id) {
    CostMeasurement measurement = costs.start(allocators.find(id));
    return ResponseEntity.status(HttpStatus.ACCEPTED).body(measurement.progress());
  }

  @GetMapping
  @Operation(
      summary = "Latency of memory calls",
      description =
          "Distributions in nanoseconds of the driver's allocate, free, map and unmap, and of the"
              + " cached allocate and free. Driver times of a simulated device are not"
              + " representative.")
  CostProgress report(@PathVariable long id) {
    HostedAllocator hosted = allocators.find(id);
    return costs
        .find(hosted)
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "Latency on the device of allocator " + id + " is not measured yet",
                    AllocatorsApi.PATH + "/" + id + "/costs",
                    "POST to the same URL starts the measurement."))
        .progress();
  }
}
