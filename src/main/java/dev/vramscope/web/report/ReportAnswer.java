package dev.vramscope.web.report;

import dev.vramscope.report.Report;
import dev.vramscope.report.ReportFormat;
import dev.vramscope.web.display.DownloadName;
import dev.vramscope.web.problem.RefusedRequestException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** A document as the response. */
public final class ReportAnswer {
  /** The style is inside the document; nothing else is needed. */
  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private ReportAnswer() {}

  /** The format of a parameter. */
  public static ReportFormat format(String id) {
    return ReportFormat.of(id)
        .orElseThrow(
            () -> RefusedRequestException.badParameter("format", id, "html, text, markdown, json"));
  }

  /** Sends a report, to be saved under a name unless that is null. */
  public static void send(
      Report report, ReportFormat format, @Nullable String download, HttpServletResponse response)
      throws IOException {
    send(format.write(report), format, download, response);
  }

  /** Sends a document in a format, to be saved under a name unless that is null. */
  static void send(
      String document, ReportFormat format, @Nullable String download, HttpServletResponse response)
      throws IOException {
    response.setHeader(HttpHeaders.CONTENT_TYPE, format.mediaType());
    response.setHeader("Content-Security-Policy", POLICY);
    if (download != null) {
      String name = DownloadName.ofExport(download + "-report", format.extension()).header();
      response.setHeader(HttpHeaders.CONTENT_DISPOSITION, name);
    }
    response.getOutputStream().write(document.getBytes(StandardCharsets.UTF_8));
  }
}
