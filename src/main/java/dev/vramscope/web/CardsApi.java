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
@RequestMapping("/api/v1/cards")
@Tag(name = "Allocators")
class CardsApi {
  private final Devices cards;

  CardsApi(Devices cards) {
    this.cards = cards;
  }

  @GetMapping
  @Operation(
      summary = "The GPUs, the driver's state, and the simulated cards",
      description = "When there is no GPU, driver.text says why and what to do.")
  CardsView show() {
    return CardsView.of(cards.driver(), cards.maxSimulatedBytes());
  }

  @PostMapping("/look")
  @Operation(summary = "Look for GPUs again, as after the driver was installed or updated")
  CardsView look() {
    return CardsView.of(cards.probeAgain(), cards.maxSimulatedBytes());
  }
}
