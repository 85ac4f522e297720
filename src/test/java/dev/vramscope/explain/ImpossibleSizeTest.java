package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.producer.Conclusion;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A size that no memory can have is named as such, in the messages of every program. */
class ImpossibleSizeTest {
  /** A message of each program, with a place for the size, and who was asked. */
  private record Form(String who, String text) {
    String with(String size) {
      return text.replace("<size>", size);
    }
  }

  private static final List<Form> WITH_UNIT =
      List.of(
          new Form(
              "XLA was",
              "RESOURCE_EXHAUSTED: Out of memory while trying to allocate <size>."
                  + " [tf-allocator-\""),
          new Form("XLA was", "Failed to allocate request for <size> on device ordinal 0"),
          new Form("XLA was", "Attempting to allocate <size>. That was not possible."),
          new Form("XLA was", "Ran out of memory in memory space hbm. Used <size> of 15.48G hbm."),
          new Form("XLA was", "Allocation (size=<size>) would exceed memory (size=17179869184)"),
          new Form(
              "XLA was",
              "Out of memory while trying to allocate 100 bytes. BufferAssignment stats: parameter"
                  + " allocation: 30.00GiB\n total allocation: <size>\n"),
          new Form(
              "The BFC allocator GPU_0_bfc was",
              "Allocator (GPU_0_bfc) ran out of memory trying to allocate <size> (rounded to 0)"
                  + "requested by op Fill\nStats: Limit: 268435456 InUse: 266338304\n"),
          new Form(
              "The BFC allocator GPU_0_bfc was",
              "Allocator (GPU_0_bfc) ran out of memory trying to allocate <size> with"
                  + " freed_by_count=0. The caller indicates that this is not a failure"),
          new Form(
              "PyTorch’s caching allocator was",
              "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate <size>. GPU 0 has a"
                  + " total capacity of 79.15 GiB of which 1.50 GiB is free."),
          new Form(
              "The driver’s allocator (backend:cudaMallocAsync) was",
              "Allocation on device 2 would exceed allowed memory. (out of memory)\nCurrently"
                  + " allocated     : 1.00 GiB\nRequested               : <size>\n"),
          new Form(
              "PyTorch on a Mac (MPS) was",
              "MPS backend out of memory (MPS allocated: 2.44 GB, other allocations: 4.34 GB, max"
                  + " allowed: 6.77 GB). Tried to allocate <size> on private pool."),
          new Form("NCCL was", "NCCL WARN Failed to CUDA calloc <size>"),
          new Form(
              "RMM was", "[A][Stream 0x1][Upstream <size>][FAILURE maximum pool size exceeded]"),
          new Form(
              "The host’s memory was",
              "DefaultCPUAllocator: can't allocate memory: you tried to allocate <size>. Error"));

  private static final List<Form> BARE =
      List.of(
          new Form(
              "ONNX Runtime’s arena was",
              "Failed to allocate memory for requested buffer of size <size>\n"),
          new Form("llama.cpp was", "failed to allocate CUDA0 buffer of size <size>\n"),
          new Form(
              "The BFC allocator GPU_0_bfc was",
              "Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00GiB (rounded to"
                  + " <size>)requested by op Fill\n"),
          new Form(
              "XLA was",
              "Allocation (size=<size>) would exceed memory (size=17179869184) :: shape = 'u8'"));

  private static Conclusion only(String text) {
    List<Conclusion> conclusions = LogExplanation.of(text).conclusions();
    assertThat(conclusions).as(text).hasSize(1);
    return conclusions.getFirst();
  }

  private static void isImpossible(Form form, String size) {
    Conclusion conclusion = only(form.with(size));
    assertThat(conclusion.headline())
        .as(form.with(size))
        .startsWith(form.who() + " asked for an impossible size: ");
    assertThat(conclusion.statements())
        .as(form.with(size))
        .anyMatch(each -> each.text().contains("No device has that much"))
        .anyMatch(each -> each.text().contains("a negative number, or one that overflowed"));
  }

  @Test
  void inEveryMessageAndEveryWayToWriteIt() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 40; round++) {
      String bytes =
          switch (round) {
            case 0 -> "18446744065119617024";
            case 1 -> "2305843009213693952";
            case 2 -> "9223372036854775807";
            case 3 -> "-1";
            case 4 -> Long.toString((1L << 60) + 1);
            default ->
                Long.toUnsignedString(
                    (1L << random.nextInt(61, 64)) + random.nextLong(1, 1L << 60));
          };
      for (Form form : BARE) {
        isImpossible(form, bytes);
      }
      String gibibytes =
          String.format(Locale.ROOT, "%d.%02d", (1L << 30) + random.nextLong(1L << 34), round);
      for (Form form : WITH_UNIT) {
        isImpossible(form, bytes + " bytes");
        isImpossible(form, bytes + "B");
        isImpossible(form, gibibytes + " GiB");
        isImpossible(form, gibibytes + "G");
        isImpossible(form, "-" + gibibytes + "GiB");
        isImpossible(form, "-8E");
        isImpossible(form, "16.00EiB");
      }
    }
  }

  @Test
  void anyPossibleSizeIsNone() {
    SplittableRandom random = new SplittableRandom(6);
    for (int round = 0; round < 40; round++) {
      String bytes = Long.toString(1 + random.nextLong(1L << random.nextInt(20, 40)));
      for (Form form : WITH_UNIT) {
        assertThat(only(form.with(bytes + " bytes")).headline()).doesNotContain("impossible");
      }
      for (Form form : BARE) {
        assertThat(only(form.with(bytes)).headline()).doesNotContain("impossible");
      }
    }
  }

  @Test
  void aNegativeNumberThatBecameAHugeOneIsNamed() {
    Form xla = WITH_UNIT.getFirst();
    for (String eight : List.of("18446744065119617024 bytes", "18446744065119617024B")) {
      assertThat(only(xla.with(eight)).statements().toString()).contains("it is -8 GiB.");
    }
    for (String eight : List.of("17179869176.00 GiB", "17179869176.00GiB", "17179869176.00 GB")) {
      assertThat(only(xla.with(eight)).statements().toString()).contains("it is about -8 GiB.");
    }
    for (String other : List.of("16.00EiB", "2305843009213693952 bytes", "-8.00GiB")) {
      assertThat(only(xla.with(other)).statements().toString()).doesNotContain("signed number");
    }
    assertThat(only("CUDA out of memory. Tried to allocate more than 1EB memory.").headline())
        .isEqualTo("PyTorch’s caching allocator was asked for an impossible size: more than 1EB.");
  }

  @Test
  void ofATensor() {
    for (String tensor :
        List.of(
            "[2147483647,2147483647] and type float on /device:GPU:0 by allocator GPU_0_bfc",
            "[2147483647,2147483647]",
            "[-5,3] and type int8 on /device:GPU:0",
            "[1152921504606846976,8] and type half")) {
      assertThat(only("OOM when allocating tensor with shape" + tensor).headline())
          .startsWith("TensorFlow was asked for an impossible size: of the shape [");
    }
    assertThat(only("OOM when allocating tensor with shape[1152921504606846976]").headline())
        .doesNotContain("impossible");
  }

  @Test
  void itBelongsToTheMessagesWithoutAnotherSize() {
    String dump = "Stats: Limit: 268435456 InUse: 266338304\n";
    String xla = WITH_UNIT.getFirst().with("18446744065119617024 bytes") + "\n";
    assertThat(only(dump + xla).headline()).startsWith("XLA was asked for an impossible size");
    assertThat(only(dump + xla).messages()).hasSize(2);
    String bfc =
        "Allocator (GPU_0_bfc) ran out of memory trying to allocate %s (rounded to %s)requested\n";
    assertThat(only(String.format(bfc, "-8.00GiB", "18446744065119617024") + xla).messages())
        .hasSize(2);
    String other = String.format(bfc, "1.00GiB", "1073741824");
    assertThat(LogExplanation.of(other + xla).conclusions()).hasSize(2);
    assertThat(LogExplanation.of(other + xla).conclusions())
        .extracting(Conclusion::headline)
        .containsExactlyInAnyOrder(
            "The BFC allocator GPU_0_bfc could not serve a request of 1 GiB.",
            "XLA was asked for an impossible size: 18446744065119617024 bytes.");
  }
}
