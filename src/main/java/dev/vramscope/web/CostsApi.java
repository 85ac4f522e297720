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

/** What memory calls cost on the card of a hosted allocator. */
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
      summary = "Measure what memory calls cost",
      description = "On the allocator's card, in the background; GET tells how far it is.")
  @ApiResponse(responseCode = "202", description = "It measures, or does so already")
  ResponseEntity<CostProgress> start(@PathVariable long id) {
    CostMeasurement measurement = costs.start(allocators.find(id));
    return ResponseEntity.status(HttpStatus.ACCEPTED).body(measurement.progress());
  }

  @GetMapping
  @Operation(
      summary = "What memory calls cost",
      description =
          "Distributions in nanoseconds: the driver's allocate, free, map and unmap beside the"
              + " cached allocate and free. Those of a simulated card's driver mean nothing.")
  CostProgress report(@PathVariable long id) {
    HostedAllocator hosted = allocators.find(id);
    return costs
        .find(hosted)
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "The costs of allocator " + id + "'s card were not measured yet",
                    AllocatorsApi.PATH + "/" + id + "/costs",
                    "POST to the same address begins to measure."))
        .progress();
  }
}
