package dev.vramscope.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Two snapshots compared, as JSON. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/diff")
@Tag(name = "Analyses")
class CompareApi {
  private final Comparison.Reader comparisons;

  CompareApi(Comparison.Reader comparisons) {
    this.comparisons = comparisons;
  }

  @GetMapping
  @Operation(
      summary = "What another snapshot holds more or less than this one",
      description =
          "Compares the active allocations by site and by stack: added, grown, shrunk, removed and"
              + " same, each with at most 200 rows and the sums of all. The differences add up to"
              + " that of the active bytes. at and otherAt are peak (the default), end or the"
              + " number of an event. Without other, the snapshot is compared with itself at"
              + " another moment, by default the end. Sites are the same if function, file and line"
              + " are; a file may be in another folder, and a line may have moved if that is"
              + " unambiguous.")
  DiffView diff(
      @PathVariable String id,
      @RequestParam @Nullable String other,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable Integer otherDevice,
      @RequestParam @Nullable String at,
      @RequestParam @Nullable String otherAt) {
    boolean isOther = other != null && !other.isBlank();
    return DiffView.of(
        comparisons.of(
            id,
            device,
            at,
            isOther ? String.valueOf(other) : id,
            isOther || otherDevice != null ? otherDevice : device,
            otherAt));
  }
}
