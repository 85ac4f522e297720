package dev.vramscope.web.explain;

import dev.vramscope.report.ReportFormat;
import dev.vramscope.web.report.ReportAnswer;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Stored logs, explained again. */
@RestController
@Tag(name = "Logs")
class LogsApi {
  private final StoredLogs logs;

  LogsApi(StoredLogs logs) {
    this.logs = logs;
  }

  @Heavy(WorkKind.EXPLANATION)
  @GetMapping("/api/v1/logs/{id}")
  @Operation(
      summary = "Explain a stored log",
      description =
          "As POST /api/v1/explain answers: text, or JSON if the header Accept asks for it; format"
              + " is html, text, markdown or json for a document. Its name, tags, file and deletion"
              + " are those of /api/v1/snapshots/{id}.")
  @Nullable LogExplanationView explain(
      @PathVariable String id,
      @RequestParam @Nullable String format,
      @Parameter(hidden = true) HttpServletRequest request,
      @Parameter(hidden = true) HttpServletResponse response)
      throws IOException {
    ReportFormat asked = format == null ? null : ReportAnswer.format(format);
    return LogAnswer.of(logs.open(logs.find(id)), asked, request, response);
  }
}
