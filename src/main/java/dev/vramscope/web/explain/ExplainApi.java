package dev.vramscope.web.explain;

import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.report.LogReport;
import dev.vramscope.report.ReportFormat;
import dev.vramscope.web.docs.ApiExamples;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.report.ReportAnswer;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.request.MultipartBody;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Logs, explained. */
@RestController
@Tag(name = "Logs")
class ExplainApi {
  @Heavy(WorkKind.EXPLANATION)
  @PostMapping("/api/v1/explain")
  @Operation(
      summary = "Explain a log",
      description =
          "The body is the text, of any content type: a log or a line of it, with the messages of"
              + " PyTorch, XLA (JAX) and TensorFlow, of programs that serve models (vLLM, SGLang,"
              + " text-generation-inference, llama.cpp), of libraries, and of the host (Linux,"
              + " cgroups, Slurm, Ray, macOS); the output of nvidia-smi or of"
              + " torch.cuda.memory_summary(). The answer has the fields of every message, what"
              + " follows from them and how certain it is, and what to collect next. The text is"
              + " not stored.")
  @Parameter(
      name = "format",
      in = ParameterIn.QUERY,
      description =
          "a document to hand on instead of the fields: html, text, markdown or json; without it,"
              + " the fields if the header Accept asks for JSON, otherwise text",
      schema =
          @Schema(
              type = "string",
              allowableValues = {"html", "text", "markdown", "json"}))
  @RequestBody(
      required = true,
      content =
          @Content(
              mediaType = "text/plain",
              schema = @Schema(type = "string"),
              examples = @ExampleObject(ApiExamples.MESSAGE)))
  @ApiResponse(
      responseCode = "200",
      description = "Explained; findings is empty if the text has no message about memory",
      content = {
        @Content(
            mediaType = "application/json",
            schema = @Schema(implementation = LogExplanationView.class)),
        @Content(mediaType = "text/plain", schema = @Schema(type = "string"))
      })
  @ApiResponse(
      responseCode = "400",
      description = "Not a text",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  @ApiResponse(
      responseCode = "413",
      description = "Too long",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  @Nullable LogExplanationView explain(
      @Parameter(hidden = true) HttpServletRequest request,
      @Parameter(hidden = true) HttpServletResponse response)
      throws IOException {
    MultipartBody.refuse(request);
    // The stream, not a parameter: curl declares every body to be a form.
    String format =
        UriComponentsBuilder.newInstance()
            .query(request.getQueryString())
            .build()
            .getQueryParams()
            .getFirst("format");
    ReportFormat reportFormat = format == null ? null : ReportAnswer.format(format);
    LogExcerpt log = SubmittedText.read(request.getInputStream(), "the body");
    if (log.text().isBlank()) {
      throw RefusedRequestException.noText();
    }
    if (reportFormat == null && wantsJson(request)) {
      return LogExplanationView.of(log);
    }
    ReportFormat shown = reportFormat == null ? ReportFormat.TEXT : reportFormat;
    ReportAnswer.send(LogReport.of("log", log), shown, null, response);
    return null;
  }

  /** A person at a terminal reads text; curl asks for anything. */
  private static boolean wantsJson(HttpServletRequest request) {
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    return accept != null && accept.contains("json");
  }
}
