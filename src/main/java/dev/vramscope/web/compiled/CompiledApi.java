package dev.vramscope.web.compiled;

import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.util.List;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Compiled programs as JSON. */
@RestController
@Tag(name = "Compiled programs")
class CompiledApi {
  private final StoredPrograms programs;
  private final ProgramPlans plans;

  CompiledApi(StoredPrograms programs, ProgramPlans plans) {
    this.programs = programs;
    this.plans = plans;
  }

  @Heavy(WorkKind.ANALYSIS)
  @GetMapping("/api/v1/compiled/{id}")
  @Operation(
      summary = "The memory of a compiled program",
      description =
          "What texts of XLA and JAX state about each program of an upload: parts that add up, the"
              + " position with the most live bytes, donation. A value that no text states is"
              + " null. Name, tags, file and deletion are those of /api/v1/snapshots/{id}.")
  FileView compiled(@PathVariable String id) throws IOException {
    return FileView.of(programs.find(id), programs.read(id));
  }

  @Heavy(WorkKind.COMPARISON)
  @GetMapping("/api/v1/compiled/compare")
  @Operation(
      summary = "Compare two compiled programs",
      description =
          "What the program with number q of upload b needs more or less than the one with number p"
              + " of upload a: by use, by operation at the peaks, and floating-point operations.")
  ComparisonView compare(
      @RequestParam String a,
      @RequestParam String b,
      @RequestParam(defaultValue = "0") int p,
      @RequestParam(defaultValue = "0") int q)
      throws IOException {
    return programs.compare(a, p, b, q);
  }

  @Heavy(WorkKind.COMPARISON)
  @GetMapping("/api/v1/compiled/plan")
  @Operation(
      summary = "What fits: plan from compiled programs",
      description =
          "What two or more programs of one function, compiled at different values of a parameter"
              + " such as the batch, say about other values: the bytes of each use at the values of"
              + " at, with how far they may be off, and the largest value that fits the memory. If"
              + " buffers and live ranges are known, each buffer is scaled by its shape; otherwise"
              + " sums follow a line or a square, or no law. Nothing is run or compiled.")
  @ApiResponse(responseCode = "200", description = "The answer")
  @ApiResponse(
      responseCode = "400",
      description = "A parameter is not valid",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  @ApiResponse(
      responseCode = "422",
      description =
          "Nothing can be planned: the programs are too few, have the same value, state no"
              + " temporary memory, or are of different functions",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  ProgramPlanView plan(
      @RequestParam List<String> program,
      @RequestParam(defaultValue = "") List<String> value,
      @RequestParam(defaultValue = "") String name,
      @RequestParam(defaultValue = "") String at,
      @RequestParam(defaultValue = "") String memory,
      @RequestParam(defaultValue = "") String others)
      throws IOException {
    MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
    parameters.put("program", program);
    parameters.put("value", value);
    parameters.add("name", name);
    parameters.add("at", at);
    parameters.add("memory", memory);
    parameters.add("others", others);
    return plans.answer(ProgramPlanForm.of(parameters));
  }
}
