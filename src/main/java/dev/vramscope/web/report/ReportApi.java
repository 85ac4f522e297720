package dev.vramscope.web.report;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.report.Report;
import dev.vramscope.report.ReportFormat;
import dev.vramscope.report.SnapshotReport;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EnteredSize;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponents;
import org.springframework.web.util.UriComponentsBuilder;

/** The report on a snapshot, to hand on. */
@RestController
@Tag(name = "Analyses")
class ReportApi {
  private final SnapshotStore store;
  private final SnapshotCache snapshots;

  ReportApi(SnapshotStore store, SnapshotCache snapshots) {
    this.store = store;
    this.snapshots = snapshots;
  }

  @Heavy(WorkKind.REPORT)
  @GetMapping({"/api/v1/snapshots/{id}/report", "/snapshots/{id}/report"})
  @Operation(
      summary = "The report on a snapshot",
      description =
          "What happened, who holds the memory, what would have helped, and how sure that is, as"
              + " one document: html is a file with everything inside, markdown is for an issue"
              + " tracker. A long recording is replayed under other settings, which takes a few"
              + " seconds, unless replays is false.")
  @ApiResponse(
      responseCode = "200",
      description = "The document",
      content = @Content(mediaType = "text/html", schema = @Schema(type = "string")))
  void report(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "html")
          @Parameter(
              schema =
                  @Schema(
                      type = "string",
                      allowableValues = {"html", "text", "markdown", "json"},
                      defaultValue = "html"))
          String format,
      @RequestParam @Nullable String total,
      @RequestParam(defaultValue = "true") boolean replays,
      @RequestParam(defaultValue = "false") boolean download,
      @Parameter(hidden = true) HttpServletRequest request,
      @Parameter(hidden = true) HttpServletResponse response)
      throws IOException {
    ReportFormat reportFormat = ReportAnswer.format(format);
    String name = store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id)).name();
    DeviceInspection inspection = ChosenDevice.ofGpu(snapshots.get(id), device);
    DeviceEvidence evidence = EnteredSize.required(total, inspection);
    Report report = SnapshotReport.of(name, inspection, evidence, ReplayEffort.of(replays));
    boolean isPage = reportFormat == ReportFormat.HTML && !download && !isApi(request);
    if (isPage) {
      ReportAnswer.send(
          ReportFormat.page(report, links(id, request.getQueryString())),
          reportFormat,
          null,
          response);
    } else {
      ReportAnswer.send(report, reportFormat, download ? name : null, response);
    }
  }

  private static boolean isApi(HttpServletRequest request) {
    return request.getRequestURI().contains("/api/");
  }

  /** Back to the snapshot, and the same report in every format. */
  private static List<Report.Link> links(String id, @Nullable String query) {
    List<Report.Link> links = new ArrayList<>();
    UriComponents pageQuery =
        UriComponentsBuilder.newInstance().query(query == null ? "" : query).build();
    links.add(
        new Report.Link(
            "Back to the snapshot",
            address("/snapshots/{id}", id, pageQuery).encode().toUriString()));
    for (ReportFormat format : ReportFormat.values()) {
      links.add(
          new Report.Link(
              "Download " + format.label(),
              address("/snapshots/{id}/report", id, pageQuery)
                  .queryParam("format", format.id())
                  .queryParam("download", true)
                  .encode()
                  .toUriString()));
    }
    return links;
  }

  /** With the device and the size that the page was opened with. */
  private static UriComponentsBuilder address(String path, String id, UriComponents pageQuery) {
    UriComponentsBuilder address = UriComponentsBuilder.fromPath(path.replace("{id}", id));
    for (String name : List.of("device", "total")) {
      List<String> values = pageQuery.getQueryParams().get(name);
      if (values != null) {
        address.queryParam(name, values.toArray());
      }
    }
    return address;
  }
}
