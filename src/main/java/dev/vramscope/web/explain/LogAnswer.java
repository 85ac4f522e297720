package dev.vramscope.web.explain;

import dev.vramscope.report.LogReport;
import dev.vramscope.report.Report;
import dev.vramscope.report.ReportFormat;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.AcceptHeader;
import dev.vramscope.web.report.ReportAnswer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** What a log says as the response to a request: the fields, or a document. */
final class LogAnswer {
  private LogAnswer() {}

  /**
   * Answers a request about a log.
   *
   * @param format of a document; null for the fields if the header Accept asks for JSON, otherwise
   *     text
   * @return the fields; null if a document was sent
   */
  static @Nullable LogExplanationView of(
      SubmittedLog log,
      @Nullable ReportFormat format,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    String service = ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
    if (format == null && AcceptHeader.namesJson(request)) {
      return LogExplanationView.of(log, service);
    }
    String name = log.stored().map(StoredSnapshot::name).orElse("log");
    Report report = LogReport.of(name, log.log(), log.explanation());
    ReportAnswer.send(
        log.keptText(service).map(report::withFact).orElse(report),
        format == null ? ReportFormat.TEXT : format,
        null,
        response);
    return null;
  }
}
