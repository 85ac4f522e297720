package dev.vramscope.web.compiled;

import dev.vramscope.web.request.Heavy;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Compiled programs as JSON. */
@RestController
@Tag(name = "Compiled programs")
class CompiledApi {
  private final StoredPrograms programs;

  CompiledApi(StoredPrograms programs) {
    this.programs = programs;
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
}
