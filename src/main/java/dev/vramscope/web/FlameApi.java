package dev.vramscope.web;

import dev.vramscope.analysis.FlameGraph;
import dev.vramscope.analysis.StackSearch;
import dev.vramscope.analysis.StackWeights;
import dev.vramscope.model.StackTable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Flame graphs: memory by call stack. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/flame")
@Tag(name = "Charts")
class FlameApi {
  private static final int MAX_NODES = 10_000;

  private final SnapshotCache snapshots;

  FlameApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  @GetMapping
  @Operation(
      summary = "Memory by call stack, as a flame graph",
      description =
          "The largest nodes of the call tree; the siblings that are left out are one node, so that"
              + " all amounts add up. Live, allocated and never freed are requested bytes. held:"
              + " requested bytes times the number of events for which they were active. free: the"
              + " free bytes inside segments, by the stack of the allocation that had them last;"
              + " the root's own amount was never allocated in the recording. Frames that are not"
              + " shown belong to the frame that called them.")
  FlameView flame(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @ParameterObject FlameQuery query,
      @RequestParam @Nullable String path,
      @RequestParam @Nullable String text,
      @RequestParam(defaultValue = "2000") int limit) {
    if (limit < 1 || limit > MAX_NODES) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + MAX_NODES);
    }
    LoadedSnapshot snapshot = snapshots.get(id);
    LoadedDevice found = snapshot.device(device);
    StackTable stacks = snapshot.snapshot().stacks();
    StackWeights weights = query.weights(snapshot, found);
    FlameGraph graph =
        FlameGraph.of(
            snapshot.callTree(query.shown()),
            weights,
            query.direction(),
            FlameQuery.path(path, stacks.frames().size()),
            limit);
    Integer event = query.what().isAtMoment() ? query.event(found) : null;
    return FlameView.of(
        snapshot,
        found,
        query,
        event == null || event < 0 ? null : event,
        weights.total(),
        text == null || text.isBlank()
            ? null
            : (Double) weights.total(StackSearch.of(stacks, EventQuery.checked(text))),
        graph);
  }
}
