package dev.vramscope.web.problem;

import jakarta.servlet.RequestDispatcher;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Writes the response to a request that Tomcat rejects before any filter, such as one with an
 * encoded slash in its path or with a header that is too long.
 */
public final class ProblemReportValve extends ErrorReportValve {
  private final Problems problems;

  public ProblemReportValve(Problems problems) {
    this.problems = problems;
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int code = response.getStatus();
    if (code < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    AtomicBoolean isWritable = new AtomicBoolean();
    response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, isWritable);
    if (!isWritable.get()) {
      return;
    }
    try {
      SecurityHeaders.ALWAYS.writeHeaders(request, response);
      problems.write(problem(code), request, response);
      response.finishResponse();
    } catch (IOException | IllegalStateException disconnected) {
      request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, null);
    }
  }

  private static Problem problem(int code) {
    HttpStatus status = HttpStatus.resolve(code);
    if (status == null || status == HttpStatus.BAD_REQUEST) {
      return Problem.ofMalformedRequest();
    }
    if (status == HttpStatus.NOT_IMPLEMENTED) { // RFC 9112, 6.1; Tomcat has no other reason.
      return Problem.of(
          status,
          "Unknown transfer encoding",
          "The server does not know the Transfer-Encoding of the body",
          "Transfer-Encoding",
          "Send the body with Content-Length, or with Transfer-Encoding: chunked.");
    }
    return Problem.of(
        status,
        status.getReasonPhrase(),
        "The server responded with status " + code,
        "",
        "See /api/docs for the REST API, or start at the dashboard (/).");
  }
}
