package dev.vramscope.web;

import dev.vramscope.store.StoreStatus;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The condition of the service. */
@RestController
@Tag(name = "Status")
class StatusApi {
  private final StoreStatus store;

  StatusApi(StoreStatus store) {
    this.store = store;
  }

  @GetMapping("/api/v1/status")
  @Operation(
      summary = "Condition of the store",
      description =
          "Whether snapshots can be stored, how many are being read again from their original"
              + " files, and which are damaged.")
  StoreStatus.Report status() {
    return store.report();
  }
}
