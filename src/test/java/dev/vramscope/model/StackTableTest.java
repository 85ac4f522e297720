package dev.vramscope.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StackTableTest {
  private static Frame frame(int number) {
    return new Frame("f" + number, "file.py", number);
  }

  @Test
  void equalStacksHaveTheSameIdAndShareOuterParts() {
    StackTable.Builder builder = new StackTable.Builder();
    int one = builder.stack(List.of(frame(3), frame(2), frame(1)));
    int two = builder.stack(List.of(frame(4), frame(2), frame(1)));
    assertThat(builder.stack(List.of(frame(3), frame(2), frame(1)))).isEqualTo(one);
    StackTable table = builder.build();
    assertThat(table.nodeCount()).as("root, 1, 1-2, 1-2-3, 1-2-4").isEqualTo(5);
    assertThat(table.parent(one)).isEqualTo(table.parent(two));
    assertThat(table.frame(two)).isEqualTo(frame(4));
    assertThat(table.depth(one)).isEqualTo(3);
    assertThat(table.framesOf(one)).containsExactly(frame(3), frame(2), frame(1));
  }

  @Test
  void emptyStackIsTheRootAndHasNoFrame() {
    assertThat(new StackTable.Builder().stack(List.of())).isEqualTo(StackTable.NONE);
    assertThat(StackTable.EMPTY.framesOf(StackTable.NONE)).isEmpty();
    assertThat(StackTable.EMPTY.depth(StackTable.NONE)).isZero();
    assertThatThrownBy(() -> StackTable.EMPTY.frameNumber(StackTable.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void behavesLikeAMapFromListsOfFramesToIds() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StackTable.Builder builder = new StackTable.Builder();
      Map<List<Frame>, Integer> ids = new HashMap<>();
      for (int i = 0; i < 2000; i++) {
        List<Frame> frames = new ArrayList<>();
        int depth = random.nextInt(8);
        for (int level = 0; level < depth; level++) {
          frames.add(frame(random.nextInt(6)));
        }
        int id = builder.stack(frames);
        Integer known = ids.putIfAbsent(frames, id);
        assertThat(known == null || known == id).as("seed %d: one id per stack", seed).isTrue();
      }
      StackTable table = builder.build();
      Set<List<Frame>> prefixes = new HashSet<>();
      ids.forEach(
          (frames, id) -> {
            assertThat(table.framesOf(id)).isEqualTo(frames);
            for (int outer = 0; outer < frames.size(); outer++) {
              prefixes.add(frames.subList(outer, frames.size()));
            }
          });
      assertThat(table.nodeCount()).as("seed %d", seed).isEqualTo(prefixes.size() + 1);
      assertThat(table.frames()).doesNotHaveDuplicates();
      for (int node = 1; node < table.nodeCount(); node++) {
        assertThat(table.parent(node)).as("a parent has a smaller id").isLessThan(node);
      }
    }
  }
}
