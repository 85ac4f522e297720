package dev.vramscope.web;

import dev.vramscope.live.Devices;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What allocators can be hosted on. */
@RestController
@RequestMapping("/api/v1/devices")
@Tag(name = "Allocators")
class DevicesApi {
  private final Devices cards;

  DevicesApi(Devices cards) {
    this.cards = cards;
  }

  @GetMapping
  @Operation(
      summary = "The GPUs, the driver's state, and the simulated cards",
      description = "When there is no GPU, driver.text says why and what to do.")
  DevicesView show() {
    return DevicesView.of(cards.driver(), cards.maxSimulatedBytes());
  }

  @PostMapping("/refresh")
  @Operation(summary = "Look for GPUs again, as after the driver was installed or updated")
  DevicesView refresh() {
    return DevicesView.of(cards.probeAgain(), cards.maxSimulatedBytes());
  }
}
