package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.FlameDiff;
import dev.vramscope.analysis.stacks.ShownFrames;
import dev.vramscope.web.flame.FlameApi;
import dev.vramscope.web.flame.FlameQuery;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.work.WorkKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Two snapshots compared, as JSON. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/diff")
@Tag(name = "Analyses")
class CompareApi {
  private static final int MAX_ROWS = 5000;

  private final Comparison.Reader comparisons;

  CompareApi(Comparison.Reader comparisons) {
    this.comparisons = comparisons;
  }

  @Heavy(WorkKind.COMPARISON)
  @GetMapping
  @Operation(
      summary = "What another snapshot holds more or less than this one",
      description =
          "Compares the active allocations by site and by stack: added, grown, shrunk, removed and"
              + " same, each with at most limit rows and the sums of all. The differences add up to"
              + " that of the active bytes. at and otherAt are peak (the default), end or the"
              + " number of an event. Without other, the snapshot is compared with itself at"
              + " another moment, by default the end. Sites are the same if function, file and line"
              + " are; a file may be in another folder, and a line may have moved if that is"
              + " unambiguous.")
  DiffView diff(
      @PathVariable String id,
      @RequestParam @Nullable String other,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable Integer otherDevice,
      @RequestParam @Nullable String at,
      @RequestParam @Nullable String otherAt,
      @RequestParam(defaultValue = "200") int limit) {
    if (limit < 1 || limit > MAX_ROWS) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + MAX_ROWS);
    }
    boolean isOther = other != null && !other.isBlank();
    return DiffView.of(
        comparisons.of(
            id,
            device,
            at,
            isOther ? String.valueOf(other) : id,
            isOther || otherDevice != null ? otherDevice : device,
            otherAt,
            limit));
  }

  @Heavy(WorkKind.COMPARISON)
  @GetMapping("/flame")
  @Operation(
      summary = "What another snapshot holds more or less, by call stack, as a flame graph",
      description =
          "The widest nodes of the call trees of both devices: width is the sum over all stacks of"
              + " the larger side, before and after are the bytes of the two sides. The siblings"
              + " that are left out are one node, so that all sums add up. The other parameters are"
              + " those of diff; frames is all, python (the default) or user. path has numbers of"
              + " frames of an answer for the same two snapshots.")
  FlameDiffView flame(
      @PathVariable String id,
      @RequestParam @Nullable String other,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable Integer otherDevice,
      @RequestParam @Nullable String at,
      @RequestParam @Nullable String otherAt,
      @RequestParam @Nullable String frames,
      @RequestParam @Nullable String path,
      @RequestParam(defaultValue = "2000") int limit) {
    if (limit < 1 || limit > FlameApi.MAX_NODES) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + FlameApi.MAX_NODES);
    }
    ShownFrames shownFrames = FlameQuery.shownFrames(frames);
    boolean isOther = other != null && !other.isBlank();
    Comparison.Sides sides =
        comparisons.sides(
            id,
            device,
            at,
            isOther ? String.valueOf(other) : id,
            isOther || otherDevice != null ? otherDevice : device,
            otherAt);
    return FlameDiffView.of(
        sides,
        FlameDiff.of(
            sides.a().analyzed(),
            sides.a().loaded().callTree(shownFrames),
            sides.b().analyzed(),
            sides.b().loaded().callTree(shownFrames),
            FlameQuery.path(path, Integer.MAX_VALUE),
            limit));
  }
}
