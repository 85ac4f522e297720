package dev.vramscope.web.live;

import dev.vramscope.live.Devices;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Devices on which an allocator can be hosted. */
@RestController
@RequestMapping("/api/v1/devices")
@Tag(name = "Allocators")
class DevicesApi {
  private final Devices devices;

  DevicesApi(Devices devices) {
    this.devices = devices;
  }

  @GetMapping
  @Operation(
      summary = "GPUs, simulated devices and the state of the driver",
      description = "Without a GPU, driver.text gives the reason and what you can do.")
  DevicesView show() {
    return DevicesView.of(devices.driver(), devices.maxSimulatedBytes());
  }

  @PostMapping("/refresh")
  @Operation(summary = "Detect GPUs again, for example after a driver update")
  DevicesView refresh() {
    return DevicesView.of(devices.probeAgain(), devices.maxSimulatedBytes());
  }
}
