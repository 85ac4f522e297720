package dev.vramscope.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ContextTreeTest {
  @Test
  void equalPathsShareOneNode() {
    ContextTree tree = new ContextTree(100);
    int a = tree.child(ContextTree.NONE, 1);
    int ab = tree.child(a, 2);

    assertThat(tree.child(ContextTree.NONE, 1)).isEqualTo(a);
    assertThat(tree.child(a, 2)).isEqualTo(ab);
    assertThat(tree.child(ContextTree.NONE, 2)).isNotIn(a, ab);
    assertThat(tree.parent(ab)).isEqualTo(a);
    assertThat(tree.frame(ab)).isEqualTo(2);
  }

  @Test
  void fullTreeCutsPathsAndCountsThem() {
    ContextTree tree = new ContextTree(3);
    int a = tree.child(ContextTree.NONE, 1);
    int b = tree.child(a, 2);

    assertThat(tree.child(b, 3)).isEqualTo(b);
    assertThat(tree.child(a, 2)).isEqualTo(b);
    assertThat(tree.droppedCount()).isEqualTo(1);
  }

  @Test
  void concurrentThreadsGetTheSameNodes() throws InterruptedException, ExecutionException {
    ContextTree tree = new ContextTree(1 << 20);
    int paths = 20_000;
    try (var pool = Executors.newFixedThreadPool(4)) {
      List<Future<int[]>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        long seed = thread;
        all.add(pool.submit(() -> walk(tree, paths, seed)));
      }
      int[] first = all.getFirst().get();
      for (Future<int[]> other : all) {
        assertThat(other.get()).isEqualTo(first);
      }
      assertThat(tree.nodeCount()).isEqualTo(1 + paths + 100);
      for (int path = 0; path < paths; path++) {
        assertThat(tree.frame(first[path])).isEqualTo(1000 + path);
        assertThat(tree.frame(tree.parent(first[path]))).isEqualTo(1 + path % 100);
      }
    }
  }

  /** The node of each path; the paths are added in random order. */
  private static int[] walk(ContextTree tree, int paths, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] order = new int[paths];
    for (int i = 0; i < paths; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    int[] nodes = new int[paths];
    for (int path : order) {
      int parent = tree.child(ContextTree.NONE, 1 + path % 100);
      nodes[path] = tree.child(parent, 1000 + path);
    }
    return nodes;
  }
}
