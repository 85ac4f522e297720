package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.FlameDiff;
import dev.vramscope.analysis.diff.FlameDiff.Node;
import dev.vramscope.analysis.diff.FlameDiff.SideFrame;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.web.flame.FlameView;
import dev.vramscope.web.flame.FlameView.FlameFrame;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A flame graph of two devices in JSON. The members of {@code nodes} are columns, as in {@link
 * FlameView}.
 *
 * @param frames the frames of the nodes
 */
record FlameDiffView(List<FlameFrame> frames, Nodes nodes) {

  /**
   * Nodes as columns, the root first; none if there is no node with the path.
   *
   * @param parent index of the parent; -1 for the root
   * @param frame index in the list of frames; -1 for the root of all stacks, -2 for all siblings
   *     that are left out
   * @param amount bytes: the sum of the larger side of each stack
   * @param before bytes of the first device, of the node and everything below it
   * @param after bytes of the second device
   * @param isCut whether its children are left out
   */
  @Schema(name = "FlameDiffNodes")
  public record Nodes(
      List<Integer> parent,
      List<Integer> frame,
      List<Long> amount,
      List<Long> before,
      List<Long> after,
      List<Boolean> isCut) {}

  static FlameDiffView of(Comparison.Sides sides, FlameDiff diff) {
    Map<Integer, Integer> indices = new HashMap<>();
    List<FlameFrame> frames = new ArrayList<>();
    List<Integer> frameOf = new ArrayList<>();
    for (Node node : diff.nodes()) {
      SideFrame side = node.side();
      if (side == null) {
        frameOf.add(node.frame());
        continue;
      }
      frameOf.add(
          indices.computeIfAbsent(
              node.frame(),
              number -> {
                SnapshotInspection loaded = (side.isAfter() ? sides.b() : sides.a()).loaded();
                frames.add(FlameView.frame(loaded.stacks(), side.number(), number));
                return frames.size() - 1;
              }));
    }
    List<Node> nodes = diff.nodes();
    return new FlameDiffView(
        frames,
        new Nodes(
            nodes.stream().map(Node::parent).toList(),
            frameOf,
            nodes.stream().map(Node::width).toList(),
            nodes.stream().map(Node::before).toList(),
            nodes.stream().map(Node::after).toList(),
            nodes.stream().map(Node::isCut).toList()));
  }
}
