package dev.vramscope.analysis.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RandomTrace;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FlameGraph.Direction;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FlameGraphTest {
  private static final int ALL = 1_000_000;

  private final RandomTrace random = RandomTrace.of(11, 3_000);
  private final Lifetimes lifetimes = random.lifetimes();
  private final StackTable stacks = random.stacks();

  @ParameterizedTest
  @CsvSource({
    "ALL, CALLEES",
    "PYTHON, CALLEES",
    "USER, CALLEES",
    "ALL, CALLERS",
    "PYTHON, CALLERS",
    "USER, CALLERS"
  })
  void everyPathHasTheBytesOfTheStacksThatBeginWithIt(ShownFrames shown, Direction direction) {
    int event = 1_700;
    Map<List<Integer>, Long> expected = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      if (lifetimes.allocationEvent(row) <= event && event < lifetimes.endEvent(row)) {
        List<Integer> path = path(lifetimes.stack(row), shown, direction);
        for (int length = 0; length <= path.size(); length++) {
          expected.merge(List.copyOf(path.subList(0, length)), lifetimes.bytes(row), Long::sum);
        }
      }
    }
    FlameGraph graph =
        FlameGraph.of(
            CallTree.of(random.classes(), shown),
            StackWeights.live(lifetimes, stacks, event),
            direction,
            List.of(),
            ALL);
    assertThat(amounts(graph)).isEqualTo(expected);
  }

  /** The frames of a stack from the root of the picture. */
  private List<Integer> path(int stack, ShownFrames shown, Direction direction) {
    List<Integer> path = new ArrayList<>();
    for (int node = stack; node != StackTable.NONE; node = stacks.parent(node)) {
      if (shown.contains(random.classes(), node)) {
        path.add(stacks.frameNumber(node));
      }
    }
    if (direction == Direction.CALLEES) {
      Collections.reverse(path);
    }
    return path;
  }

  private static Map<List<Integer>, Long> amounts(FlameGraph graph) {
    List<List<Integer>> paths = new ArrayList<>();
    Map<List<Integer>, Long> amounts = new HashMap<>();
    for (FlameGraph.Node node : graph.nodes()) {
      List<Integer> path = new ArrayList<>();
      if (node.parent() >= 0) {
        path.addAll(paths.get(node.parent()));
        path.add(node.frame());
      }
      paths.add(path);
      assertThat(amounts.put(path, (long) node.amount())).as("%s", path).isNull();
    }
    return amounts;
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void aPartOfTheTreeAddsUpToo(Direction direction) {
    CallTree tree = CallTree.of(random.classes(), ShownFrames.ALL);
    StackWeights weights = StackWeights.held(lifetimes, stacks, new EventWindow(100, 2_000));
    for (int limit : new int[] {60, 20, 3, 1}) {
      FlameGraph graph = FlameGraph.of(tree, weights, direction, List.of(), limit);
      assertThat(graph.nodes().getFirst().amount()).isEqualTo(weights.total());
      assertThat(graph.nodes().stream().filter(node -> node.frame() != FlameGraph.OTHERS))
          .hasSize(limit);
      for (int i = 0; i < graph.nodes().size(); i++) {
        FlameGraph.Node node = graph.nodes().get(i);
        int index = i;
        double below =
            graph.nodes().stream()
                .filter(child -> child.parent() == index)
                .mapToDouble(FlameGraph.Node::amount)
                .sum();
        if (!node.isCut()) {
          assertThat(node.selfAmount() + below).isEqualTo(node.amount());
        } else {
          assertThat(below).isZero();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void aPathBecomesTheRoot(Direction direction) {
    CallTree tree = CallTree.of(random.classes(), ShownFrames.ALL);
    StackWeights weights = StackWeights.neverFreed(lifetimes, stacks);
    FlameGraph whole = FlameGraph.of(tree, weights, direction, List.of(), ALL);
    for (int i = 1; i < whole.nodes().size(); i++) {
      List<Integer> path = new ArrayList<>();
      for (int at = i; at > 0; at = whole.nodes().get(at).parent()) {
        path.addFirst(whole.nodes().get(at).frame());
      }
      FlameGraph.Node root = FlameGraph.of(tree, weights, direction, path, ALL).nodes().getFirst();
      assertThat(root.amount()).isEqualTo(whole.nodes().get(i).amount());
      assertThat(root.count()).isEqualTo(whole.nodes().get(i).count());
      assertThat(root.frame()).isEqualTo(whole.nodes().get(i).frame());
    }
    assertThat(
            FlameGraph.of(tree, weights, direction, List.of(0, 0, 0, 0, 0, 0, 0, 0), ALL).nodes())
        .singleElement()
        .satisfies(root -> assertThat(root.amount()).isZero());
  }

  @ParameterizedTest
  @CsvSource({"0, 3000", "500, 501", "500, 1900", "700, 700"})
  void weightsOfAWindowAreThoseOfARecount(int from, int to) {
    Map<Integer, Long> allocated = new TreeMap<>();
    Map<Integer, Long> held = new TreeMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      int born = lifetimes.allocationEvent(row);
      if (born >= from && born < to) {
        allocated.merge(lifetimes.stack(row), lifetimes.bytes(row), Long::sum);
      }
      for (int event = from; event < to; event++) {
        if (lifetimes.isActiveAt(row, event)) {
          held.merge(lifetimes.stack(row), lifetimes.bytes(row), Long::sum);
        }
      }
    }
    EventWindow window = new EventWindow(from, to);
    assertThat(byStack(StackWeights.allocated(lifetimes, stacks, window))).isEqualTo(allocated);
    assertThat(byStack(StackWeights.held(lifetimes, stacks, window))).isEqualTo(held);
  }

  private static Map<Integer, Long> byStack(StackWeights weights) {
    Map<Integer, Long> found = new TreeMap<>();
    for (int stack = 0; stack < weights.stackCount(); stack++) {
      if (weights.count(stack) > 0) {
        found.put(stack, (long) weights.amount(stack));
      }
    }
    return found;
  }
}
