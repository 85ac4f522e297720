package dev.vramscope.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.StackTable;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AlignerTest {
  private static final List<String> BATCH = List.of("batch");

  private static PlannedOperations operations(SizedRecording recording) {
    return new PlannedOperations(
        recording.run(),
        recording.device().trace(),
        recording.snapshot().stacks(),
        StackTable.NONE);
  }

  private static Alignment align(SizedRecording a, SizedRecording b) {
    return Aligner.of(operations(a), operations(b), new SizePairs(BATCH, a.values(), b.values()));
  }

  /** A layer: an activation that grows, and a workspace that does not. */
  private static Program layer(Program program, int number, long batch, boolean isLong) {
    program
        .allocate("in" + number, 10 + number % 7, 4096 * batch)
        .allocate("work" + number, 20, 1 << 20);
    if (isLong) {
      program.allocate("copy" + number, 0, 8192 * batch).free("copy" + number);
    }
    return program.free("work" + number);
  }

  private static Program layers(int count, long batch, int longFrom, int longTo) {
    Program program = new Program();
    for (int i = 0; i < count; i++) {
      layer(program, i, batch, i >= longFrom && i < longTo);
    }
    for (int i = count - 1; i >= 0; i--) {
      program.allocate("grad" + i, 0, 4096 * batch).free("in" + i).free("grad" + i);
    }
    return program;
  }

  @Test
  void equalSequencesHaveNoDifference() throws PlanRefusedException {
    SizedRecording a = layers(50, 2, 0, 50).recorded("batch=2");
    Alignment alignment = align(a, layers(50, 3, 0, 50).recorded("batch=3"));
    assertThat(alignment.isComplete()).isTrue();
    for (int i = 0; i < a.run().operations(); i++) {
      assertThat(alignment.partner(i)).isEqualTo(i);
    }
  }

  @Test
  void operationsThatOneSideHasMoreAreFoundAtTheirPlace() throws PlanRefusedException {
    SizedRecording a = layers(50, 2, 0, 0).recorded("batch=2");
    SizedRecording b = layers(50, 3, 20, 25).recorded("batch=3");
    Alignment alignment = align(a, b);
    assertThat(alignment.isWhole()).isTrue();
    assertThat(alignment.differences()).hasSize(5);
    // Three operations a layer, and the two first of the twentieth, before the copy.
    assertThat(alignment.differences().getFirst()).isEqualTo(new Difference(62, 0, 62, 2));
    for (int i = 0; i < a.run().operations(); i++) {
      assertThat(alignment.partner(i)).as("operation %d", i).isNotEqualTo(Alignment.NONE);
    }
  }

  @Test
  void aLoopThatRunsMuchLongerIsOneDifference() throws PlanRefusedException {
    Program shortLoop = new Program();
    Program longLoop = new Program();
    for (int i = 0; i < 10; i++) {
      layer(shortLoop, i, 2, false);
    }
    for (int i = 0; i < 10 + 3 * Aligner.MOST_EDITS; i++) {
      layer(longLoop, i, 3, false);
    }
    for (Program program : List.of(shortLoop, longLoop)) {
      for (int i = 0; i < 40; i++) {
        program.allocate("after" + i, 100 + i, 5000 + i);
      }
    }
    SizedRecording a = shortLoop.recorded("batch=2");
    SizedRecording b = longLoop.recorded("batch=3");
    Alignment alignment = align(a, b);
    assertThat(alignment.isWhole()).isTrue();
    assertThat(alignment.differences())
        .singleElement()
        .satisfies(
            difference -> {
              assertThat(difference.count()).isZero();
              assertThat(difference.otherCount()).isEqualTo(3 * 3 * Aligner.MOST_EDITS);
            });
    assertThat(alignment.partner(a.run().operations() - 1)).isEqualTo(b.run().operations() - 1);
  }

  @Test
  void aFreeAtAnotherMomentIsOneMissingAndOneMore() throws PlanRefusedException {
    Program early = new Program();
    Program late = new Program();
    for (Program program : List.of(early, late)) {
      for (int i = 0; i < 60; i++) {
        program.allocate("a" + i, 10 + i, 4096);
        if (i == (program == early ? 20 : 30)) {
          program.free("a5");
        }
      }
    }
    Alignment alignment = align(early.recorded("batch=2"), late.recorded("batch=3"));
    assertThat(alignment.differences())
        .containsExactly(new Difference(21, 1, 21, 0), new Difference(32, 0, 31, 1));
  }

  @Test
  void anAllocationWithoutAStackIsRecognizedByItsSize() throws PlanRefusedException {
    Program a = new Program();
    Program b = new Program();
    for (int i = 0; i < 40; i++) {
      a.allocate("x" + i, 0, (i + 1) * 100_000L * 2);
      if (i == 7) {
        b.allocate("more", 0, 333_333 * 3L);
      }
      b.allocate("x" + i, 0, (i + 1) * 100_000L * 3);
    }
    Alignment alignment = align(a.recorded("batch=2"), b.recorded("batch=3"));
    assertThat(alignment.differences()).containsExactly(new Difference(7, 0, 7, 1));
  }

  /** What a random edit adds and removes is found, and nothing else is taken for it. */
  @Test
  void randomEditsAreFound() throws PlanRefusedException {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      Program a = new Program();
      Program b = new Program();
      int removed = 0;
      int added = 0;
      for (int i = 0; i < 1500; i++) {
        int line = 1 + random.nextInt(300);
        long bytes = 512L * (1 + random.nextInt(4000));
        boolean isInA = random.nextInt(100) > 0;
        boolean isInB = random.nextInt(100) > 0;
        if (isInA) {
          a.allocate("x" + i, line, bytes * 2);
        }
        if (isInB) {
          b.allocate("x" + i, line, bytes * 3);
        }
        removed += isInA && !isInB ? 1 : 0;
        added += isInB && !isInA ? 1 : 0;
      }
      SizedRecording first = a.recorded("batch=2");
      SizedRecording second = b.recorded("batch=3");
      Alignment alignment = align(first, second);
      int alone = alignment.differences().stream().mapToInt(Difference::count).sum();
      int otherAlone = alignment.differences().stream().mapToInt(Difference::otherCount).sum();
      assertThat(alone).as("seed %d", seed).isLessThanOrEqualTo(removed);
      assertThat(alone - otherAlone).isEqualTo(removed - added);
      int exact = 0;
      int last = -1;
      for (int i = 0; i < first.run().operations(); i++) {
        int partner = alignment.partner(i);
        if (partner == Alignment.NONE) {
          continue;
        }
        assertThat(partner).as("seed %d: in order", seed).isGreaterThan(last);
        last = partner;
        exact += second.run().bytes(partner) * 2 == first.run().bytes(i) * 3 ? 1 : 0;
      }
      assertThat(exact).as("seed %d", seed).isGreaterThan(1500 - removed - added - 20);
    }
  }
}
