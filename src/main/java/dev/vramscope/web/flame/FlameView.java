package dev.vramscope.web.flame;

import dev.vramscope.analysis.stacks.FlameGraph;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Frame;
import dev.vramscope.web.display.DisplayFormat;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A flame graph in JSON. The members of {@code nodes} are columns: the node i has {@code
 * parent.get(i)} and so on.
 *
 * @param unit of all amounts: bytes, or byte-events
 * @param event the event after which the memory is live or free; null for a window of events, and
 *     for a peak before the first event
 * @param total the amount of the whole graph, at any path
 * @param matched the amount of the stacks that the search finds; null without a search
 * @param frames the frames of the nodes
 */
public record FlameView(
    int device,
    String measure,
    @Schema(allowableValues = {"bytes", "byte-events"}) String unit,
    @Nullable Integer event,
    double total,
    @Nullable Double matched,
    List<FlameFrame> frames,
    Nodes nodes) {

  /**
   * A frame.
   *
   * @param number for the parameter path
   * @param kind user, package or runtime
   */
  public record FlameFrame(
      int number,
      String name,
      String file,
      int line,
      @Schema(allowableValues = {"user", "package", "runtime"}) String kind) {}

  /**
   * Nodes as columns, the root first.
   *
   * @param parent index of the parent; -1 for the root
   * @param frame index in the list of frames; -1 for the root of all stacks, -2 for all siblings
   *     that are left out
   * @param amount of the node and everything below it
   * @param selfAmount of the stacks that end at the node
   * @param count allocations
   * @param isCut whether its children are left out
   */
  @Schema(name = "FlameNodes")
  public record Nodes(
      List<Integer> parent,
      List<Integer> frame,
      List<Double> amount,
      List<Double> selfAmount,
      List<Integer> count,
      List<Boolean> isCut) {}

  private static final int MAX_TEXT = 200;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /** The frames and nodes of a graph. */
  static FlameView of(
      DeviceInspection device,
      FlameQuery query,
      @Nullable Integer event,
      double total,
      @Nullable Double matched,
      FlameGraph graph) {
    StackClasses classes = device.stacks();
    Map<Integer, Integer> indices = new HashMap<>();
    List<FlameFrame> frames = new ArrayList<>();
    List<Integer> frameOf = new ArrayList<>();
    for (FlameGraph.Node node : graph.nodes()) {
      frameOf.add(
          node.frame() < 0
              ? node.frame()
              : indices.computeIfAbsent(
                  node.frame(),
                  number -> {
                    frames.add(frame(classes, number, number));
                    return frames.size() - 1;
                  }));
    }
    List<FlameGraph.Node> nodes = graph.nodes();
    return new FlameView(
        device.ordinal(),
        query.what().id(),
        query.unit(),
        event,
        total,
        matched,
        frames,
        new Nodes(
            nodes.stream().map(FlameGraph.Node::parent).toList(),
            frameOf,
            nodes.stream().map(FlameGraph.Node::amount).toList(),
            nodes.stream().map(FlameGraph.Node::selfAmount).toList(),
            nodes.stream().map(FlameGraph.Node::count).toList(),
            nodes.stream().map(FlameGraph.Node::isCut).toList()));
  }

  /** A frame of a table, with the number that paths use. */
  public static FlameFrame frame(StackClasses classes, int number, int pathNumber) {
    Frame frame = classes.stacks().frames().get(number);
    return new FlameFrame(
        pathNumber,
        FORMAT.elided(frame.name(), MAX_TEXT),
        FORMAT.elided(frame.file(), MAX_TEXT),
        frame.line(),
        classes.kindOfFrame(number).name().toLowerCase(Locale.ROOT));
  }
}
