package dev.vramscope.web.live;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.latency.LatencyMeasurement;
import dev.vramscope.live.latency.LatencyMeasurements;
import dev.vramscope.live.latency.LatencyProgress;
import dev.vramscope.web.problem.RefusedRequestException;
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

/** Latency of memory operations on the device of a hosted allocator. */
@RestController
@RequestMapping(AllocatorsApi.PATH + "/{id}/latency")
@Tag(name = "Allocators")
class LatencyApi {
  private final HostedAllocators allocators;
  private final LatencyMeasurements measurements;

  LatencyApi(HostedAllocators allocators, LatencyMeasurements measurements) {
    this.allocators = allocators;
    this.measurements = measurements;
  }

  @PostMapping
  @Operation(
      summary = "Measure the latency of memory operations",
      description = "On the allocator's device, in the background; GET returns the progress.")
  @ApiResponse(responseCode = "202", description = "Measuring, or already in progress")
  ResponseEntity<LatencyProgress> start(@PathVariable long id) {
    LatencyMeasurement measurement = measurements.start(allocators.find(id));
    return ResponseEntity.status(HttpStatus.ACCEPTED).body(measurement.progress());
  }

  @GetMapping
  @Operation(
      summary = "Latency of memory operations",
      description =
          "Distributions in nanoseconds of allocate, free, map and unmap calls of the driver and of"
              + " cached allocate and free calls. Driver times of a simulated device are not"
              + " representative.")
  LatencyProgress report(@PathVariable long id) {
    HostedAllocator hosted = allocators.find(id);
    return measurements
        .find(hosted)
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "Latency on the device of allocator " + id + " has not been measured yet",
                    AllocatorsApi.PATH + "/" + id + "/latency",
                    "POST to the same URL starts the measurement."))
        .progress();
  }
}
