package dev.vramscope.web.oom;

import dev.vramscope.web.docs.ApiExamples;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Immediate;
import dev.vramscope.web.request.MultipartBody;
import dev.vramscope.web.snapshot.EvidenceView;
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
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Texts that say what a snapshot does not contain. */
@Immediate
@RestController
@RequestMapping("/api/v1/snapshots/{id}/evidence")
@Tag(name = "Snapshots")
class EvidenceApi {
  private final EvidenceTexts texts;

  EvidenceApi(EvidenceTexts texts) {
    this.texts = texts;
  }

  /** All texts of a snapshot. */
  @Schema(name = "EvidenceListing")
  record Listing(List<EvidenceView> evidence) {}

  @GetMapping
  @Operation(
      summary = "The texts that are attached to a snapshot",
      description =
          "says lists what was understood from each. Ledger, budget, oom and whatif use it where"
              + " the file leaves something unknown.")
  Listing list(@PathVariable String id) {
    return new Listing(texts.all(id));
  }

  @PostMapping
  @Operation(
      summary = "Attach a text about the device",
      description =
          "The body is the text, of any content type: PyTorch's message of the failure, the output"
              + " of nvidia-smi (its table, or CSV with a header), or the name of the device. A"
              + " text that contradicts the recording is refused. What a name or nvidia-smi says"
              + " is estimated, and no conclusion that depends on it is certain.")
  @Parameter(
      name = "device",
      in = ParameterIn.QUERY,
      description = "ordinal of the device; by default that of the message, or the first",
      schema = @Schema(type = "integer"))
  @Parameter(
      name = "gpu",
      in = ParameterIn.QUERY,
      description = "its index in the output of nvidia-smi, which counts all GPUs of the machine",
      schema = @Schema(type = "integer"))
  @RequestBody(
      required = true,
      content =
          @Content(
              mediaType = "text/plain",
              schema = @Schema(type = "string"),
              examples = @ExampleObject(ApiExamples.MESSAGE)))
  @ApiResponse(
      responseCode = "201",
      description = "Attached, or attached before; Location is its URL",
      content = @Content(schema = @Schema(implementation = EvidenceView.class)))
  @ApiResponse(
      responseCode = "400",
      description = "Not recognized, or not about this recording",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  ResponseEntity<EvidenceView> attach(
      @PathVariable String id, @Parameter(hidden = true) HttpServletRequest request)
      throws IOException {
    MultipartBody.refuse(request);
    // Reading a parameter would parse the body, which curl declares to be a form.
    MultiValueMap<String, String> query =
        UriComponentsBuilder.newInstance().query(request.getQueryString()).build().getQueryParams();
    String text =
        EvidenceTexts.decoded(request.getInputStream().readNBytes(EvidenceTexts.MAX_BYTES + 1));
    EvidenceView added =
        texts.attach(
            id,
            number("device", query.getFirst("device")),
            number("gpu", query.getFirst("gpu")),
            text);
    return ResponseEntity.created(
            URI.create("/api/v1/snapshots/" + id + "/evidence/" + added.number()))
        .body(added);
  }

  @GetMapping("/{number}")
  @Operation(summary = "One attached text")
  EvidenceView get(@PathVariable String id, @PathVariable int number) {
    return texts.one(id, number);
  }

  @DeleteMapping("/{number}")
  @Operation(summary = "Remove an attached text")
  @ApiResponse(responseCode = "204", description = "Removed")
  ResponseEntity<Void> remove(@PathVariable String id, @PathVariable int number) {
    texts.remove(id, number);
    return ResponseEntity.noContent().build();
  }

  private static @Nullable Integer number(String name, @Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    if (!text.matches("[0-9]{1,4}")) {
      throw RefusedRequestException.badParameter(name, text, "a number such as 0");
    }
    return Integer.valueOf(text);
  }
}
