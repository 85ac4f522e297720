package dev.vramscope.web.flame;

import dev.vramscope.analysis.stacks.CallTree;
import dev.vramscope.analysis.stacks.FlameGraph;
import dev.vramscope.analysis.stacks.StackSearch;
import dev.vramscope.analysis.stacks.StackWeights;
import dev.vramscope.format.export.StackAmounts;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.StackTable;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Unchanging;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EventQuery;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Flame graphs: memory by call stack. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/flame")
@Tag(name = "Charts")
public class FlameApi {
  public static final int MAX_NODES = 10_000;

  private final SnapshotStore store;
  private final SnapshotCache snapshots;

  FlameApi(SnapshotStore store, SnapshotCache snapshots) {
    this.store = store;
    this.snapshots = snapshots;
  }

  @Unchanging
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
    SnapshotInspection snapshot = snapshots.get(id);
    DeviceInspection inspection = ChosenDevice.of(snapshot, device);
    StackTable stacks = snapshot.snapshot().stacks();
    StackWeights weights = query.weights(snapshot, inspection);
    FlameGraph graph =
        FlameGraph.of(
            snapshot.callTree(query.shownFrames()),
            weights,
            query.direction(),
            FlameQuery.path(path, stacks.frames().size()),
            limit);
    Integer event = query.what().isAtMoment() ? query.event(inspection) : null;
    return FlameView.of(
        inspection,
        query,
        event == null || event < 0 ? null : event,
        weights.total(),
        text == null || text.isBlank()
            ? null
            : (Double) weights.total(StackSearch.of(stacks, EventQuery.checked(text))),
        graph);
  }

  @GetMapping("/export")
  @Operation(
      summary = "Memory by call stack, as a file for another program",
      description =
          "All stacks of the flame graph with these parameters, whatever its direction: folded for"
              + " flamegraph.pl and inferno, speedscope for speedscope.app, pprof for go tool"
              + " pprof. A stack deeper than 2,000 frames is cut at its outer end; a folded line"
              + " has at most 16,000 characters and says how many frames are left out.")
  void export(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @ParameterObject FlameQuery query,
      @RequestParam(defaultValue = "folded") String format,
      HttpServletResponse response)
      throws IOException {
    FlameFormat flameFormat = FlameFormat.of(format);
    String name = store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id)).name();
    SnapshotInspection snapshot = snapshots.get(id);
    DeviceInspection inspection = ChosenDevice.of(snapshot, device);
    StackAmounts amounts = amounts(snapshot, inspection, query);
    String title =
        "%s, device %d: memory %s".formatted(name, inspection.ordinal(), query.what().label());
    response.setContentType(flameFormat.mediaType());
    response.setHeader(HttpHeaders.CONTENT_DISPOSITION, flameFormat.downloadName(name).header());
    flameFormat.write(amounts, title, response.getOutputStream());
  }

  private static StackAmounts amounts(
      SnapshotInspection snapshot, DeviceInspection device, FlameQuery query) {
    CallTree tree = snapshot.callTree(query.shownFrames());
    StackWeights weights = query.weights(snapshot, device);
    StackAmounts amounts = new StackAmounts(tree.tree(), query.what().id(), query.unit());
    for (int stack = 0; stack < weights.stackCount(); stack++) {
      if (weights.count(stack) > 0) {
        amounts.add(tree.nodeOf(stack), weights.amount(stack), weights.count(stack));
      }
    }
    return amounts;
  }
}
