package dev.vramscope.web.series;

import dev.vramscope.web.request.Heavy;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Recordings of one process over time, as JSON. */
@RestController
@RequestMapping("/api/v1/series")
@Tag(name = "Analyses")
class SeriesApi {
  private final SeriesReader reader;

  SeriesApi(SeriesReader reader) {
    this.reader = reader;
  }

  @Heavy(WorkKind.COMPARISON)
  @GetMapping
  @Operation(
      summary = "What grows over several snapshots of one process",
      description =
          "The snapshots are those with the ids, or else those with the job, rank and host. They"
              + " are ordered by step if each has another one, otherwise by upload. Bytes are those"
              + " that are live at the end of each recording. A line of code grows if it holds more"
              + " than in the recording before, where it held memory already.")
  SeriesView series(
      @RequestParam(required = false) @Nullable List<String> id,
      @RequestParam @Nullable String job,
      @RequestParam @Nullable String rank,
      @RequestParam @Nullable String host) {
    return SeriesView.of(reader.read(new SeriesQuery(id, job, rank, host)));
  }
}
