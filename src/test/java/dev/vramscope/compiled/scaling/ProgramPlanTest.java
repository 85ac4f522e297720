package dev.vramscope.compiled.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.scaling.ProgramPlan.Certainty;
import dev.vramscope.compiled.scaling.ProgramPlan.Place;
import dev.vramscope.compiled.scaling.UseTrend.Basis;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.hlo.CompiledTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class ProgramPlanTest {
  private static ProgramPlan plan(LongUnaryOperator bytes, long... values)
      throws ProgramsRefusedException {
    List<SizedProgram> programs = new ArrayList<>();
    for (long value : values) {
      programs.add(SizedPrograms.withTemporary("step" + value, value, bytes.applyAsLong(value)));
    }
    return ProgramPlan.of(programs);
  }

  private static Basis basis(ProgramPlan plan) {
    UseTrend trend = Objects.requireNonNull(plan.trends().get(AllocationUse.TEMPORARY));
    return trend.basis();
  }

  /** A program with one argument, and one temporary buffer of the same shape. */
  private static SizedProgram withArgument(String name, long value, String shape)
      throws FormatException {
    String text =
        "BufferAssignment:\n"
            + "allocation 0: size 4096, parameter 0, shape |"
            + shape
            + "| at ShapeIndex {}:\n"
            + " value: <0 p.0 @0> (size=4096,offset=0): "
            + shape
            + "\n"
            + "allocation 1: size 4096, preallocated-temp:\n"
            + " value: <1 add @0> (size=4096,offset=0): "
            + shape
            + "\n";
    CompiledProgram program = CompiledTexts.read(text).programs().getFirst();
    return new SizedProgram(name, value, program);
  }

  @Test
  void twoProgramsAreALineThatNothingChecks() throws Exception {
    ProgramPlan plan = plan(batch -> 1_000_000 + 50_000 * batch, 8, 4);
    assertThat(basis(plan)).isEqualTo(Basis.ASSUMED_LINE);
    assertThat(plan.at(100).likely()).isEqualTo(6_000_000);
    assertThat(plan.certainty(100)).isEqualTo(Certainty.ASSUMED);
    assertThat(plan.largest(6_000_000).value()).isEqualTo(100);
    assertThat(plan.largest(5_999_999).value()).isEqualTo(99);
    assertThat(plan.programs().getFirst().value()).isEqualTo(4);
  }

  @Test
  void threeProgramsOnALineCheckIt() throws Exception {
    ProgramPlan plan = plan(batch -> 1_000_000 + 50_000 * batch, 4, 8, 16);
    assertThat(basis(plan)).isEqualTo(Basis.LINE);
    UseTrend trend = Objects.requireNonNull(plan.trends().get(AllocationUse.TEMPORARY));
    assertThat(trend.heldOutBytes()).isZero();
    assertThat(plan.certainty(64)).isEqualTo(Certainty.LIKELY);
    assertThat(plan.place(64)).isEqualTo(Place.ABOVE);
    assertThat(plan.place(12)).isEqualTo(Place.BETWEEN);
    assertThat(plan.place(2)).isEqualTo(Place.BELOW);
    assertThat(plan.at(12).likely()).isEqualTo(1_600_000);
  }

  @Test
  void aSquareTakesAFourthProgram() throws Exception {
    LongUnaryOperator attention = length -> 1_000_000 + 5_000 * length + 4_000 * length * length;
    ProgramPlan three = plan(attention, 16, 32, 64);
    assertThat(basis(three)).isEqualTo(Basis.NONE);
    assertThat(three.at(128).likely()).isNull();
    assertThat(attention.applyAsLong(128)).isBetween(three.at(128).least(), three.at(128).most());
    assertThat(three.largest(1L << 30).value()).isNull();
    ProgramPlan four = plan(attention, 16, 32, 64, 128);
    assertThat(basis(four)).isEqualTo(Basis.SQUARE);
    assertThat(four.at(512).likely()).isEqualTo(attention.applyAsLong(512));
    assertThat(four.largest(attention.applyAsLong(500)).value()).isEqualTo(500);
  }

  @Test
  void jumpsAreNoLaw() throws Exception {
    long[] bytes = {1_000_000, 1_010_000, 5_000_000, 5_020_000};
    ProgramPlan plan = plan(batch -> bytes[(int) batch - 1], 1, 2, 3, 4);
    assertThat(basis(plan)).isEqualTo(Basis.NONE);
    assertThat(plan.at(5).likely()).isNull();
    assertThat(plan.certainty(5)).isEqualTo(Certainty.DOUBTFUL);
  }

  @Test
  void memoryThatDoesNotGrowFitsOrNot() throws Exception {
    ProgramPlan plan = plan(_ -> 1_000_000, 4, 8);
    assertThat(basis(plan)).isEqualTo(Basis.SAME);
    assertThat(plan.largest(1_000_000).end()).isEqualTo(LargestSize.End.EVERY);
    assertThat(plan.largest(999_999).end()).isEqualTo(LargestSize.End.NONE);
  }

  @Test
  void whatCannotBePlannedIsRefused() throws Exception {
    SizedProgram four = SizedPrograms.withTemporary("step4", 4, 400);
    assertThatThrownBy(() -> ProgramPlan.of(List.of(four)))
        .isInstanceOf(ProgramsRefusedException.class)
        .hasMessageContaining("Only one program");
    assertThatThrownBy(
            () -> ProgramPlan.of(List.of(four, SizedPrograms.withTemporary("other", 4, 500))))
        .hasMessageContaining("step4 and other have the same value, 4");
    SizedProgram unknown =
        new SizedProgram("unknown", 8, SizedPrograms.withSums("unknown", Map.of("argument", 8L)));
    assertThatThrownBy(() -> ProgramPlan.of(List.of(four, unknown)))
        .hasMessageContaining("temporary memory of unknown is not known");
    assertThatThrownBy(() -> SizedPrograms.withTemporary("none", 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    List<SizedProgram> many = new ArrayList<>();
    for (int value = 1; value <= 33; value++) {
      many.add(SizedPrograms.withTemporary("step", value, value));
    }
    assertThatThrownBy(() -> ProgramPlan.of(many)).hasMessageContaining("33 programs");
    assertThatThrownBy(
            () ->
                ProgramPlan.of(
                    List.of(
                        withArgument("a", 4, "f32[4,256]"), withArgument("b", 8, "s32[8,128]"))))
        .hasMessageContaining("argument 0 is f32[4,256] in a and s32[8,128] in b");
  }

  @Test
  void otherNamesAreNoRefusal() throws Exception {
    ProgramPlan plan =
        ProgramPlan.of(
            List.of(
                SizedPrograms.withTemporary("scan", 4, 400),
                SizedPrograms.withTemporary("scan_grad", 8, 800)));
    assertThat(plan.hasDifferentNames()).isTrue();
    assertThat(plan(batch -> batch, 4, 8).hasDifferentNames()).isFalse();
  }

  @Test
  void argumentsSayTheValues() throws Exception {
    List<CompiledProgram> programs =
        List.of(
            withArgument("a", 4, "f32[128,4]").program(),
            withArgument("b", 8, "f32[128,8]").program());
    assertThat(SameFunction.valuesOfArguments(programs)).isEqualTo(Optional.of(List.of(4L, 8L)));
    assertThat(SameFunction.valuesOfArguments(List.of(programs.getFirst(), programs.getFirst())))
        .isEmpty();
    assertThat(SameFunction.nameWithoutNumbers("module_0028.jit_step_b8")).isEqualTo("jit_step_b");
  }
}
