package dev.vramscope.web.uploads;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vramscope.format.FormatException;
import dev.vramscope.intake.Intake;
import dev.vramscope.intake.UploadClient;
import dev.vramscope.intake.UploadRequest;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.connection.ClientConnection;
import dev.vramscope.web.connection.EndReason;
import dev.vramscope.web.docs.ApiExamples;
import dev.vramscope.web.problem.AcceptHeader;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.MetadataParameters;
import dev.vramscope.web.request.MultipartBody;
import dev.vramscope.web.request.Requesters;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.Parameters;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Uploads.
 *
 * <p>A raw body is streamed from the socket. The server first writes the parts of a multipart body
 * to temporary files, never to memory, since form fields may follow the file that they belong to.
 */
@RestController
@Tag(name = "Snapshots")
public class UploadApi {
  private static final Set<String> KNOWN_ENCODINGS = Set.of("identity", "gzip", "x-gzip", "zstd");

  private final Intake intake;
  private final ProblemAdvice advice;

  UploadApi(Intake intake, ProblemAdvice advice) {
    this.intake = intake;
    this.advice = advice;
  }

  @PostMapping("/api/v1/snapshots")
  @Operation(
      summary = "Upload a snapshot",
      description =
          "The body is the file, of any content type: a PyTorch snapshot as pickle, JSON or the"
              + " HTML that trace_plot writes, a device memory profile of JAX, or a dump of the BFC"
              + " allocator; uncompressed or as gzip, zstd or zip. Or"
              + " multipart/form-data with one or several files. The format is detected from the"
              + " content. Without a name parameter, the name is that of the headers X-Filename or"
              + " Content-Disposition, or else made of the tags. Uploading the same file again"
              + " returns 200 with the same id and alreadyStored; its name and tags are unchanged"
              + " unless duplicate=add.")
  @Parameters({
    @Parameter(name = "name", in = ParameterIn.QUERY, schema = @Schema(type = "string")),
    @Parameter(name = "job", in = ParameterIn.QUERY, schema = @Schema(type = "string")),
    @Parameter(name = "rank", in = ParameterIn.QUERY, schema = @Schema(type = "string")),
    @Parameter(name = "host", in = ParameterIn.QUERY, schema = @Schema(type = "string")),
    @Parameter(name = "step", in = ParameterIn.QUERY, schema = @Schema(type = "integer")),
    @Parameter(
        name = "labels",
        in = ParameterIn.QUERY,
        description = "separated by commas",
        schema = @Schema(type = "string")),
    @Parameter(
        name = "duplicate",
        in = ParameterIn.QUERY,
        description =
            "what happens to the tags of a file that is stored already: keep leaves them"
                + " unchanged; add sets those that are not set, and adds labels",
        schema =
            @Schema(
                type = "string",
                allowableValues = {"keep", "add"},
                defaultValue = "keep"))
  })
  @RequestBody(
      required = true,
      content =
          @Content(
              mediaType = "application/octet-stream",
              schema = @Schema(type = "string", format = "binary")))
  @ApiResponse(responseCode = "201", description = "Stored; Location is its URL")
  @ApiResponse(responseCode = "200", description = "The same file is already stored")
  @ApiResponse(
      responseCode = "422",
      description = "Not a snapshot, or malformed",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class),
              examples = @ExampleObject(ApiExamples.FORBIDDEN_OPCODE)))
  @ApiResponse(
      responseCode = "413",
      description = "Larger than a limit",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  ResponseEntity<?> upload(@Parameter(hidden = true) HttpServletRequest request)
      throws IOException, ServletException, FormatException {
    requireKnownEncoding(request.getHeader("Content-Encoding"));
    MetadataParameters parameters = MetadataParameters.ofQuery(request.getQueryString());
    if (MultipartBody.isOf(request)) {
      return uploadParts(request, parameters);
    }
    String name = parameters.name();
    SaveResult saved =
        intake.accept(
            request.getInputStream(),
            new UploadRequest(
                name == null ? UploadFileName.of(request) : name,
                parameters.tags(),
                parameters.duplicate(),
                request.getContentLengthLong()),
            client(request));
    return answer(request, saved);
  }

  public static UploadClient client(HttpServletRequest request) {
    Optional<ClientConnection> connection = ClientConnection.current();
    return new UploadClient(
        Requesters.client(request),
        () -> connection.ifPresent(sender -> sender.end(EndReason.DISPLACED)));
  }

  private ResponseEntity<?> uploadParts(HttpServletRequest request, MetadataParameters parameters)
      throws IOException, ServletException, FormatException {
    List<Part> files = new ArrayList<>();
    Map<String, List<String>> fields = new LinkedHashMap<>();
    for (Part part : request.getParts()) {
      if (part.getSubmittedFileName() == null) {
        fields.computeIfAbsent(part.getName(), _ -> new ArrayList<>()).add(text(part));
      } else if (part.getSize() > 0 || !part.getSubmittedFileName().isEmpty()) {
        files.add(part);
      }
    }
    if (files.isEmpty()) {
      throw RefusedRequestException.nothingUploaded("multipart body");
    }
    MetadataParameters allParameters = parameters.with(fields);
    UploadClient client = UploadClient.ofReceived(Requesters.client(request));
    if (files.size() == 1) {
      return answer(request, accept(files.getFirst(), allParameters, allParameters.name(), client));
    }
    List<Part> compiled = CompiledParts.of(files);
    if (compiled.size() == files.size()) {
      return answer(request, acceptJoined(compiled, allParameters, client));
    }
    List<Outcome> outcomes = new ArrayList<>();
    if (!compiled.isEmpty()) {
      outcomes.add(
          outcome(compiled.getFirst(), () -> acceptJoined(compiled, allParameters, client)));
      files.removeAll(compiled);
    }
    for (Part file : files) {
      outcomes.add(outcome(file, () -> accept(file, allParameters, null, client)));
    }
    return AcceptHeader.namesHtml(request)
        ? ResponseEntity.status(HttpStatus.SEE_OTHER).location(URI.create("/snapshots")).build()
        : ResponseEntity.status(HttpStatus.MULTI_STATUS).body(outcomes);
  }

  /** Stores a file or several. */
  @FunctionalInterface
  private interface Storing {
    SaveResult store() throws IOException, FormatException;
  }

  /** Stores the texts of a compiled program, which is one thing. */
  private SaveResult acceptJoined(
      List<Part> files, MetadataParameters parameters, UploadClient client)
      throws IOException, FormatException {
    String first = UploadFileName.ofPath(files.getFirst().getSubmittedFileName());
    String name = parameters.name();
    try (InputStream stream = CompiledParts.joined(files)) {
      return intake.accept(
          stream,
          new UploadRequest(
              name == null ? first : name, parameters.tags(), parameters.duplicate(), -1),
          client);
    } finally {
      for (Part file : files) {
        file.delete();
      }
    }
  }

  /** Stores one of several files; its failure does not affect the others. */
  private Outcome outcome(Part file, Storing storing) {
    String name = String.valueOf(file.getSubmittedFileName());
    try {
      SaveResult saved = storing.store();
      return new Outcome(name, saved.existed() ? 200 : 201, saved.snapshot().id(), null);
    } catch (IOException | RuntimeException | FormatException rejected) {
      Problem problem = advice.problem(rejected);
      return new Outcome(name, problem.status(), null, problem);
    }
  }

  private SaveResult accept(
      Part file, MetadataParameters parameters, @Nullable String name, UploadClient client)
      throws IOException, FormatException {
    try (InputStream stream = file.getInputStream()) {
      return intake.accept(
          stream,
          new UploadRequest(
              name == null ? UploadFileName.ofPath(file.getSubmittedFileName()) : name,
              parameters.tags(),
              parameters.duplicate(),
              file.getSize()),
          client);
    } finally {
      file.delete();
    }
  }

  private ResponseEntity<?> answer(HttpServletRequest request, SaveResult saved) {
    String id = saved.snapshot().id();
    if (AcceptHeader.namesHtml(request)) {
      return ResponseEntity.status(HttpStatus.SEE_OTHER)
          .location(URI.create("/snapshots/" + id + (saved.existed() ? "?duplicate" : "")))
          .build();
    }
    return ResponseEntity.status(saved.existed() ? HttpStatus.OK : HttpStatus.CREATED)
        .location(URI.create("/api/v1/snapshots/" + id))
        .body(new UploadedSnapshot(saved.snapshot(), saved.existed()));
  }

  private static String text(Part part) throws IOException {
    try (InputStream stream = part.getInputStream()) {
      return new String(stream.readNBytes(4096), StandardCharsets.UTF_8);
    }
  }

  private static void requireKnownEncoding(@Nullable String encoding) {
    if (encoding != null && !KNOWN_ENCODINGS.contains(encoding.strip().toLowerCase(Locale.ROOT))) {
      throw RefusedRequestException.unsupportedEncoding(encoding);
    }
  }

  /**
   * A stored snapshot.
   *
   * @param alreadyStored the same file was stored before this upload
   */
  record UploadedSnapshot(@JsonUnwrapped StoredSnapshot snapshot, boolean alreadyStored) {}

  /** The result for one of several files. */
  record Outcome(String name, int status, @Nullable String id, @Nullable Problem problem) {}
}
