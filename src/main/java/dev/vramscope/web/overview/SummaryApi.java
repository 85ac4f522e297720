package dev.vramscope.web.overview;

import dev.vramscope.analysis.summary.MemorySummary;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EnteredSize;
import dev.vramscope.web.snapshot.LedgerView;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The counters and the ledger of a device. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}")
@Tag(name = "Analyses")
class SummaryApi {
  private final SnapshotCache snapshots;

  SummaryApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  @GetMapping(path = "/summary", produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(
      summary = "The counters of torch.cuda.memory_stats() that follow from a snapshot",
      description =
          "counters are in the file, or follow from it. replayed has those that a replay of the"
              + " whole recording adds, if it reproduces the recording; lowerBounds has lower"
              + " bounds of peaks that are in neither. Accept: text/plain returns the table of"
              + " torch.cuda.memory_summary().")
  SummaryView summary(@PathVariable String id, @RequestParam @Nullable Integer device) {
    DeviceInspection inspection = counted(id, device);
    MemorySummary summary = inspection.summary();
    return new SummaryView(
        summary.device(),
        summary.counters(),
        inspection.counters().replayed(),
        inspection.counters().lowerBounds(),
        summary.isComplete());
  }

  /**
   * The counters of {@link MemorySummary}.
   *
   * @param replayed counters from a replay that reproduces the whole recording
   * @param lowerBounds of counters that are unknown
   */
  record SummaryView(
      int device,
      Map<String, Long> counters,
      Map<String, Long> replayed,
      Map<String, Long> lowerBounds,
      boolean isComplete) {}

  @GetMapping(path = "/summary", produces = MediaType.TEXT_PLAIN_VALUE)
  ResponseEntity<byte[]> summaryAsText(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String abbreviated) {
    return summaryText(id, device, abbreviated);
  }

  @GetMapping(path = "/summary.txt")
  @Operation(
      summary = "The table of torch.cuda.memory_summary()",
      description = "?abbreviated omits the rows of the two pools.")
  ResponseEntity<byte[]> summaryText(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String abbreviated) {
    DeviceInspection inspection = counted(id, device);
    var table = inspection.counters().table();
    boolean isShort = abbreviated != null && !abbreviated.equalsIgnoreCase("false");
    String text = isShort ? table.abbreviated() : table.full();
    return ResponseEntity.ok()
        .contentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8))
        .body(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A ledger and the ordinal of its device. */
  record DeviceLedger(int device, LedgerView ledger) {}

  @GetMapping("/ledger")
  @Operation(
      summary = "Where every byte is, at the end of the recording",
      description =
          "Rows add up to the total exactly; an unknown row has a reason instead of bytes. total"
              + " is the device's memory (such as 80 GiB), which a snapshot does not contain.")
  DeviceLedger ledger(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String total) {
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshots.get(id), device);
    return new DeviceLedger(
        inspection.ordinal(),
        LedgerView.of(
            inspection.moments().ledger(EnteredSize.required(total, inspection)),
            inspection.family()));
  }

  /** The device, if its counters are those of PyTorch: an allocator of XLA has others. */
  private DeviceInspection counted(String id, @Nullable Integer device) {
    DeviceInspection inspection = ChosenDevice.withSegments(snapshots.get(id), device);
    if (inspection.device().facts().isOfXla()) {
      throw RefusedRequestException.notOf(inspection.device());
    }
    return inspection;
  }
}
