package dev.vramscope.web.overview;

import dev.vramscope.format.export.ExportSizes;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.ClientOutput;
import dev.vramscope.web.request.Immediate;
import dev.vramscope.web.request.Requesters;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Stored snapshots as files of other programs. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/export")
@Tag(name = "Snapshots")
class ExportApi {
  /** The name of a header: about the length of a response whose exact length is not known. */
  static final String ESTIMATED_BYTES = "X-Vramscope-Estimated-Bytes";

  private final SnapshotStore store;
  private final SnapshotCache snapshots;
  private final HeavyWork work;

  ExportApi(SnapshotStore store, SnapshotCache snapshots, HeavyWork work) {
    this.store = store;
    this.snapshots = snapshots;
    this.work = work;
  }

  @Immediate
  @GetMapping
  @Operation(
      summary = "The snapshot as a file for another program",
      description =
          "Whatever the format of the upload. torch, the default, is a pickle as"
              + " torch.cuda.memory._dump_snapshot() writes it, for PyTorch's own tools. perfetto"
              + " is a trace for ui.perfetto.dev. parquet, jsonl and csv are tables of the events."
              + " Without device it has all devices and the pinned host memory. The response has no"
              + " length: it is written while it is read, and a failure ends it before its last"
              + " chunk. The header "
              + ESTIMATED_BYTES
              + " says about how long it becomes.")
  @ApiResponse(
      responseCode = "200",
      headers =
          @Header(
              name = ESTIMATED_BYTES,
              description = "About the number of bytes that follow, before any compression",
              schema = @Schema(type = "integer", format = "int64")))
  void export(
      @PathVariable String id,
      @RequestParam(defaultValue = "torch") String format,
      @RequestParam @Nullable Integer device,
      @Parameter(hidden = true) HttpServletRequest request,
      HttpServletResponse response)
      throws Exception {
    ExportFormat exportFormat = ExportFormat.of(format);
    String name = store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id)).name();
    SnapshotInspection loaded = snapshots.get(id);
    if (device == null
        && loaded.parts().stream().anyMatch(each -> !each.device().kind().hasAddresses())) {
      throw RefusedRequestException.notOfProfile();
    }
    List<DeviceInspection> devices =
        device == null ? loaded.parts() : List.of(ChosenDevice.withAddresses(loaded, device));
    response.setContentType(exportFormat.mediaType());
    response.setHeader(HttpHeaders.CONTENT_DISPOSITION, exportFormat.downloadName(name).header());
    long bytes = exportFormat.estimatedBytes(ExportSizes.of(loaded.snapshotOf(devices)));
    response.setHeader(ESTIMATED_BYTES, Long.toString(bytes));
    OutputStream client = response.getOutputStream();
    work.run(
        WorkKind.EXPORT,
        Requesters.of(request),
        () -> {
          try (ClientOutput out = new ClientOutput(client)) {
            exportFormat.write(loaded, devices, out);
          }
          return null;
        });
  }
}
