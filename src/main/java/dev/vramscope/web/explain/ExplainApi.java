package dev.vramscope.web.explain;

import dev.vramscope.intake.UploadRequest;
import dev.vramscope.report.ReportFormat;
import dev.vramscope.web.docs.ApiExamples;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.report.ReportAnswer;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.request.MetadataParameters;
import dev.vramscope.web.request.MultipartBody;
import dev.vramscope.web.uploads.UploadApi;
import dev.vramscope.web.uploads.UploadFileName;
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
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Logs, explained. */
@RestController
@Tag(name = "Logs")
class ExplainApi {
  private final StoredLogs logs;

  ExplainApi(StoredLogs logs) {
    this.logs = logs;
  }

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
              + " follows from them and how certain it is, and what to collect next. The log is"
              + " kept like a snapshot, with the same name and tags, and the answer says where; a"
              + " full disk keeps nobody from the answer. What is a snapshot as well, such as a"
              + " dump of a BFC allocator, is kept as one.")
  @Parameter(
      name = "store",
      in = ParameterIn.QUERY,
      description = "false if the log is not to be kept",
      schema = @Schema(type = "boolean", defaultValue = "true"))
  @Parameter(name = "name", in = ParameterIn.QUERY, schema = @Schema(type = "string"))
  @Parameter(name = "job", in = ParameterIn.QUERY, schema = @Schema(type = "string"))
  @Parameter(name = "rank", in = ParameterIn.QUERY, schema = @Schema(type = "string"))
  @Parameter(name = "host", in = ParameterIn.QUERY, schema = @Schema(type = "string"))
  @Parameter(name = "step", in = ParameterIn.QUERY, schema = @Schema(type = "integer"))
  @Parameter(
      name = "labels",
      in = ParameterIn.QUERY,
      description = "separated by commas",
      schema = @Schema(type = "string"))
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
    MultiValueMap<String, String> query =
        UriComponentsBuilder.newInstance().query(request.getQueryString()).build().getQueryParams();
    String format = query.getFirst("format");
    ReportFormat reportFormat = format == null ? null : ReportAnswer.format(format);
    MetadataParameters metadata = MetadataParameters.ofQuery(request.getQueryString());
    SubmittedLog log =
        isKept(query.getFirst("store"))
            ? logs.keep(
                request.getInputStream(),
                "the body",
                new UploadRequest(
                    metadata.name() == null ? UploadFileName.of(request) : metadata.name(),
                    metadata.tags(),
                    metadata.duplicate(),
                    request.getContentLengthLong()),
                UploadApi.client(request))
            : logs.explain(request.getInputStream(), "the body");
    return LogAnswer.of(log, reportFormat, request, response);
  }

  private static boolean isKept(@Nullable String store) {
    if (store == null || store.equals("true")) {
      return true;
    }
    if (store.equals("false")) {
      return false;
    }
    throw RefusedRequestException.badParameter("store", store, "true or false");
  }
}
