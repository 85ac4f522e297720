package dev.vramscope.web.compiled;

import dev.vramscope.web.request.Heavy;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
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
}
