package dev.vramscope.analysis.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.diff.FlameDiff.Node;
import dev.vramscope.analysis.diff.FlameDiff.SideFrame;
import dev.vramscope.analysis.stacks.CallTree;
import dev.vramscope.analysis.stacks.FlameGraph;
import dev.vramscope.analysis.stacks.ShownFrames;
import dev.vramscope.model.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The flame graph of two devices has exactly the bytes of a count of every allocation. */
class FlameDiffTest {
  private static final int STEPS = 150;

  private static FlameDiff diff(
      DeviceMoment before, DeviceMoment after, List<Integer> path, int maxNodes) {
    return FlameDiff.of(
        before,
        CallTree.of(before.stacks(), ShownFrames.ALL),
        after,
        CallTree.of(after.stacks(), ShownFrames.ALL),
        path,
        maxNodes);
  }

  /** Bytes by the frames from the outermost on, of stacks that end there. */
  private static Map<List<String>, Long> counted(List<RandomRun.Live> held) {
    Map<List<String>, Long> bytes = new HashMap<>();
    for (RandomRun.Live live : held) {
      List<String> stack = live.frames().reversed().stream().map(FlameDiffTest::text).toList();
      bytes.merge(stack, live.bytes(), Long::sum);
    }
    return bytes;
  }

  private static String text(Frame frame) {
    return frame.name() + ":" + frame.line();
  }

  private static long below(Map<List<String>, Long> bytes, List<String> path) {
    return bytes.entrySet().stream()
        .filter(
            stack ->
                stack.getKey().size() >= path.size()
                    && stack.getKey().subList(0, path.size()).equals(path))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void equalsACountOfEveryAllocation(int seed) {
    RandomRun first = RandomRun.of(seed, STEPS, frame -> frame);
    RandomRun second =
        RandomRun.of(
            seed + 100L,
            STEPS,
            frame ->
                new Frame(frame.name(), frame.file().replace("/home/a", "/mnt"), frame.line()));
    for (int event : new int[] {-1, 3, 60, first.eventCount() - 1}) {
      int other = Math.min(second.eventCount() - 1, 2 * event + 1);
      Map<List<String>, Long> before = counted(first.held(event));
      Map<List<String>, Long> after = counted(second.held(other));
      FlameDiff diff = diff(first.moment(event), second.moment(other), List.of(), 10_000);
      List<List<String>> paths = paths(diff);
      for (int i = 0; i < paths.size(); i++) {
        Node node = diff.nodes().get(i);
        List<String> path = paths.get(i);
        assertThat(node.before()).as("%s", path).isEqualTo(below(before, path));
        assertThat(node.after()).as("%s", path).isEqualTo(below(after, path));
        assertThat(node.width()).as("%s", path).isEqualTo(width(before, after, path));
        assertThat(node.isCut()).isFalse();
      }
      assertThat(paths).doesNotHaveDuplicates();
      assertThat(paths).containsAll(withBytes(before)).containsAll(withBytes(after));
    }
  }

  private static List<List<String>> withBytes(Map<List<String>, Long> bytes) {
    return bytes.entrySet().stream()
        .filter(stack -> stack.getValue() > 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static long width(
      Map<List<String>, Long> before, Map<List<String>, Long> after, List<String> path) {
    Map<List<String>, Long> larger = new HashMap<>(before);
    after.forEach((stack, bytes) -> larger.merge(stack, bytes, Math::max));
    return below(larger, path);
  }

  private static List<List<String>> paths(FlameDiff diff) {
    List<List<String>> paths = new ArrayList<>();
    for (Node node : diff.nodes()) {
      SideFrame side = node.side();
      List<String> path = new ArrayList<>(node.parent() < 0 ? List.of() : paths.get(node.parent()));
      if (side != null) {
        path.add(text(side.frame()));
      }
      paths.add(path);
    }
    return paths;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 17})
  void childrenThatAreLeftOutAreOneNode(int maxNodes) {
    RandomRun first = RandomRun.of(7, STEPS, frame -> frame);
    RandomRun second = RandomRun.of(8, STEPS, frame -> frame);
    DeviceMoment before = first.moment(first.eventCount() - 1);
    DeviceMoment after = second.moment(second.eventCount() - 1);
    FlameDiff whole = diff(before, after, List.of(), 10_000);
    FlameDiff part = diff(before, after, List.of(), maxNodes);
    Map<List<String>, Node> byPath = new HashMap<>();
    List<List<String>> wholePaths = paths(whole);
    for (int i = 0; i < wholePaths.size(); i++) {
      byPath.put(wholePaths.get(i), whole.nodes().get(i));
    }
    long[] sums = new long[part.nodes().size()];
    for (Node node : part.nodes()) {
      if (node.parent() >= 0) {
        sums[node.parent()] += node.after();
      }
    }
    List<List<String>> paths = paths(part);
    for (int i = 0; i < part.nodes().size(); i++) {
      Node node = part.nodes().get(i);
      if (node.frame() == FlameGraph.OTHERS) {
        continue;
      }
      Node same = Objects.requireNonNull(byPath.get(paths.get(i)));
      assertThat(node.after()).isEqualTo(same.after());
      assertThat(node.before()).isEqualTo(same.before());
      if (!node.isCut()) {
        long children =
            whole.nodes().stream()
                .filter(each -> each.parent() == whole.nodes().indexOf(same))
                .mapToLong(Node::after)
                .sum();
        assertThat(sums[i]).isEqualTo(children);
      }
    }
    assertThat(part.nodes().stream().filter(n -> n.frame() != FlameGraph.OTHERS).count())
        .isEqualTo(Math.min(maxNodes, whole.nodes().size()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void pathIsThatNode(int seed) {
    RandomRun run = RandomRun.of(seed, STEPS, frame -> frame);
    DeviceMoment moment = run.moment(run.eventCount() - 1);
    FlameDiff whole = diff(moment, moment, List.of(), 10_000);
    Node child = whole.nodes().get(1);
    FlameDiff below = diff(moment, moment, List.of(child.frame()), 10_000);
    assertThat(below.nodes().getFirst().after()).isEqualTo(child.after());
    assertThat(below.nodes()).allMatch(node -> node.before() == node.after());
    assertThat(diff(moment, moment, List.of(child.frame(), 999), 10).nodes()).isEmpty();
  }
}
