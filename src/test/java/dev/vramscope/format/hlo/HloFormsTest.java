package dev.vramscope.format.hlo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.ArrayShape;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.ProgramAllocation;
import dev.vramscope.compiled.ProgramText;
import dev.vramscope.format.FormatException;
import dev.vramscope.model.finding.FindingKind;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Texts written by hand in the forms of other platforms and releases; those of the CPU are real, in
 * {@link CompiledTruthTest}.
 */
class HloFormsTest {
  private static final String GPU =
      """
      BufferAssignment:
      allocation 0: size 4194304, parameter 0, shape |f32[1024,1024]| at ShapeIndex {}:
       value: <3 param_0 @0> (size=4194304,offset=0): f32[1024,1024]{1,0}
      allocation 1: size 4194304, output shape is |f32[1024,1024]|, maybe-live-out:
       value: <9 loop_add_fusion @0> (size=4194304,offset=0): f32[1024,1024]{1,0}
      allocation 2: size 2097152, color 5, parameter 1, shape |bf16[1024,1024]| at ShapeIndex {}:
       value: <4 param_1 @5> (size=2097152,offset=0): bf16[1024,1024]{1,0:S(5)}
      allocation 3: size 8388608, preallocated-temp:
       value: <5 cublas-gemm.1{0} @0> (size=4194304,offset=0): f32[1024,1024]{1,0}
       value: <6 cublas-gemm.1{1} @0> (size=4194304,offset=4194304): s8[4194304]{0}
       value: <7 all-reduce-start{1} (phi) @0> (size=4194304,offset=0): f32[1024,1024]{1,0}
      allocation 4: size 4, constant:
       value: <8 constant.2 @0> (size=4,offset=0): f32[]

      Total bytes used: 18874372 (18.00MiB)
      """;

  private static CompiledProgram only(String text) throws FormatException {
    assertThat(CompiledTextReader.isOne(text)).isTrue();
    return CompiledTexts.read(text).programs().getFirst();
  }

  private static List<AllocationUse> uses(CompiledProgram program) {
    return program.allocations().stream().map(ProgramAllocation::use).toList();
  }

  private static long read(CompiledProgram program) {
    return program.findings().stream().filter(FindingKind.PROGRAM_INCOMPLETE::isOf).count();
  }

  @Test
  void aGpuHasColoursOfTheMemoryOfTheHost() throws FormatException {
    CompiledProgram program = only(GPU);
    assertThat(program.findings()).isEmpty();
    assertThat(uses(program))
        .containsExactly(
            AllocationUse.ARGUMENT,
            AllocationUse.OUTPUT,
            AllocationUse.ARGUMENT,
            AllocationUse.TEMPORARY,
            AllocationUse.CONSTANT);
    assertThat(program.allocations().get(2).memorySpace()).isEqualTo(5);
    assertThat(program.allocations().get(2).shape()).isEqualTo("bf16[1024,1024]");
    assertThat(program.allocations().get(3).buffers())
        .extracting(each -> each.key())
        .containsExactly("cublas-gemm.1{0}", "cublas-gemm.1{1}", "all-reduce-start{1}");
  }

  @Test
  void aTpuHasTilesAndMemorySpaces() throws FormatException {
    CompiledProgram program =
        only(
            """
            BufferAssignment:
            allocation 0: size 65536, parameter 0, shape |bf16[128,256]| at ShapeIndex {}:
             value: <1 p0 @0> (size=65536,offset=0): bf16[128,256]{1,0:T(8,128)(2,1)}
            allocation 1: size 65536, color 1, preallocated-temp:
             value: <2 copy-start{0} @1> (size=65536,offset=0): bf16[128,256]{1,0:T(8,128)(2,1)S(1)}
            allocation 2: size 512, color 2, preallocated-temp:
             value: <3 copy-start{2} @2> (size=4,offset=0): u32[]{:S(2)}
            allocation 3: size 131072, output shape is |(f32[8,<=4096], s32[])|, maybe-live-out:
             value: <4 fusion.1{0} @0> (size=131072,offset=0): f32[8,<=4096]{1,0:T(8,128)}
            """);
    assertThat(program.findings()).isEmpty();
    assertThat(program.allocations())
        .extracting(ProgramAllocation::memorySpace)
        .containsExactly(0, 1, 2, 0);
    assertThat(program.allocations().get(1).buffers().getFirst().shape())
        .isEqualTo("bf16[128,256]{1,0:T(8,128)(2,1)S(1)}");
    assertThat(ArrayShape.of("bf16[128,256]{1,0:T(8,128)(2,1)S(1)}").orElseThrow().bytes())
        .isEqualTo(65_536);
    assertThat(program.allocations().get(3).shape()).isEqualTo("(f32[8,<=4096], s32[])");
  }

  @Test
  void instructionsOfATpuHaveTuplesWithTiles() throws FormatException {
    CompiledProgram program =
        only(
            """
            HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (1, {}, may-alias) }, entry_computation_layout={(bf16[128,256]{1,0:T(8,128)(2,1)}, f32[8]{0:T(128)S(5)})->(f32[8]{0:T(128)}, s32[])}

            ENTRY %main.4 (p0: bf16[128,256], p1: f32[8]) -> (f32[8], s32[]) {
              %p0 = bf16[128,256]{1,0:T(8,128)(2,1)} parameter(0), metadata={op_name="x"}
              %copy-start = (bf16[128,256]{1,0:T(8,128)(2,1)S(1)}, bf16[128,256]{1,0:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(%p0)
              ROOT %tuple = (f32[8]{0:T(128)}, s32[]) tuple(%a, %b)
            }
            """);
    ProgramText text = program.text().orElseThrow();
    assertThat(text.arguments())
        .containsExactly("bf16[128,256]{1,0:T(8,128)(2,1)}", "f32[8]{0:T(128)S(5)}");
    assertThat(text.outputs()).containsExactly("f32[8]{0:T(128)}", "s32[]");
    assertThat(text.aliases()).containsEntry(0, 1);
    assertThat(Objects.requireNonNull(text.instructions().get("copy-start")).opcode())
        .isEqualTo("copy-start");
    assertThat(Objects.requireNonNull(text.instructions().get("copy-start")).shape())
        .isEqualTo("tuple");
    assertThat(Objects.requireNonNull(text.instructions().get("p0")).shape())
        .isEqualTo("bf16[128,256]{1,0:T(8,128)(2,1)}");
  }

  /** Shapes without bars, and all uses of the values in the same file. */
  @Test
  void releasesBefore2023() throws FormatException {
    CompiledProgram program =
        only(
            """
            BufferAssignment:
            allocation 0: size 64, parameter 0, shape f32[16] at ShapeIndex {}:
             value: <1 Arg_0.1 @0> (size=64,offset=0): f32[16]{0}
            allocation 1: size 64, output shape is f32[16], maybe-live-out:
             value: <2 fusion @0> (size=64,offset=0): f32[16]{0}

            Total bytes used: 128 (128B)

            Used values:
            <1 Arg_0.1 @0>
             positions:
              Arg_0.1
            allocation of something that is no allocation
            """);
    assertThat(program.findings()).isEmpty();
    assertThat(uses(program)).containsExactly(AllocationUse.ARGUMENT, AllocationUse.OUTPUT);
    assertThat(program.allocations())
        .extracting(ProgramAllocation::shape)
        .containsExactly("f32[16]", "f32[16]");
  }

  /** With the address of the object, and values as offset and size in brackets. */
  @Test
  void theFirstReleases() throws FormatException {
    CompiledProgram program =
        only(
            """
            BufferAssignment:
            allocation 0: 0x7f31c40a2e80, size 64, parameter 0:
              arg0.1[] [0,64]: f32[16]{0}
            allocation 1: 0x7f31c40a2f10, size 96, color 1, maybe-live-out:
              fusion.3[1](#4) [0,64]: f32[16]{0}
              reduce.2 [64,32]: (f32[4]{0}, f32[4]{0})
            allocation 2: 0x7f31c40a3000, size 1024, preallocated-temp:
            """);
    assertThat(program.findings()).isEmpty();
    assertThat(uses(program))
        .containsExactly(AllocationUse.ARGUMENT, AllocationUse.OUTPUT, AllocationUse.TEMPORARY);
    assertThat(program.allocations())
        .extracting(ProgramAllocation::bytes)
        .containsExactly(64L, 96L, 1024L);
    assertThat(program.allocations().get(1).memorySpace()).isEqualTo(1);
    assertThat(program.allocations().get(1).buffers())
        .extracting(each -> each.instruction() + " " + each.offset() + " " + each.bytes())
        .containsExactly("fusion.3 0 64", "reduce.2 64 32");
  }

  /** A form that no reader knows is counted; what is known stays, and nothing is made up. */
  @Test
  void unknownFormsAreCounted() throws FormatException {
    String text =
        GPU.replace(" value: <3 param_0 @0> (size", " value: param_0 (bytes")
            .replace("allocation 1: size 4194304,", "allocation 1: bytes 4194304,");
    var file = CompiledTexts.read(text);
    assertThat(file.findings())
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.message())
                    .contains("3 lines of allocations or values of the text", "lower bounds"));
    CompiledProgram program = file.programs().getFirst();
    assertThat(program.allocations())
        .extracting(ProgramAllocation::index)
        .containsExactly(0, 2, 3, 4);
    assertThat(program.findings()).anyMatch(FindingKind.PROGRAM_SUMS_DIFFER::isOf);
  }

  @Test
  void aTextThatEndsInALineIsIncomplete() throws FormatException {
    String cut = GPU.substring(0, GPU.indexOf("(size=4194304,offset=4194304)") + 12);
    CompiledProgram program = only(cut);
    assertThat(read(program)).isEqualTo(1);
    assertThat(program.allocations()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allocation 0: size 99999999999999999999, preallocated-temp:\n",
        "allocation 0: size 64, preallocated-temp:\n value: <1 a @0> (size=64,offset=1): f32[16]\n",
        "allocation 0: size 64:\n value: <1 a @0> (size=9223372036854775807,offset=9): f32[16]\n",
        "allocation 0: 0x1, size 64:\n  a [1,64]: f32[16]\n",
        "allocation 0: size 64, parameter 99999999999, shape |f32[16]| at ShapeIndex {}:\n"
      })
  void numbersThatCannotBeAreRefused(String text) {
    assertThatThrownBy(() -> CompiledTexts.read("BufferAssignment:\n" + text))
        .isInstanceOf(FormatException.class);
  }
}
