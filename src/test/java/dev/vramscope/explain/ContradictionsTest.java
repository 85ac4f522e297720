package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.producer.Statement;
import dev.vramscope.model.Certainty;
import org.junit.jupiter.api.Test;

/** Numbers that contradict each other are named, and nothing is concluded from them. */
class ContradictionsTest {
  private static Conclusion only(String text) {
    assertThat(LogExplanation.of(text).conclusions()).as(text).hasSize(1);
    return LogExplanation.of(text).conclusions().getFirst();
  }

  private static String certain(Conclusion conclusion) {
    return String.join(
        " ",
        conclusion.statements().stream()
            .filter(each -> each.certainty() == Certainty.CERTAIN)
            .map(Statement::text)
            .toList());
  }

  private static String torch(String processes, String allocated, String unallocated) {
    return "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a"
        + " total capacity of 24.00 GiB of which 1.00 GiB is free. "
        + processes
        + "Of the allocated memory "
        + allocated
        + " is allocated by PyTorch, and "
        + unallocated
        + " is reserved by PyTorch but unallocated.";
  }

  @Test
  void moreIsAllocatedThanTheDeviceHas() {
    Conclusion conclusion =
        only(
            "RuntimeError: CUDA out of memory. Tried to allocate 10.73 GiB (GPU 0; 8.00 GiB total"
                + " capacity; 17.20 GiB already allocated; 0 bytes free; 19.15 GiB reserved in"
                + " total by PyTorch)");
    assertThat(certain(conclusion))
        .contains("More is allocated, 17.2 GiB", "add up to")
        .doesNotContain("No setting can serve it");
  }

  @Test
  void aProcessUsesLessThanItsAllocatorHolds() {
    Conclusion conclusion =
        only(
            torch(
                "Including non-PyTorch memory, this process has 5.00 GiB memory in use. ",
                "20.00 GiB",
                "0.30 GiB"));
    assertThat(certain(conclusion)).contains("contradict", "5 GiB").doesNotContain("someone");
  }

  @Test
  void countersOfOneMomentFitTogether() {
    String stats =
        "{'allocated_bytes.all.current': 5368709120, 'allocated_bytes.all.peak': 4294967296,"
            + " 'inactive_split_bytes.all.current': 5368709120, 'reserved_bytes.all.current':"
            + " 9663676416}";
    Conclusion conclusion = only(stats);
    assertThat(certain(conclusion)).contains("5 GiB are allocated, more than the 4 GiB");
    assertThat(certain(conclusion)).contains("10 GiB are active or non-releasable");
    assertThat(conclusion.shares()).isEmpty();
  }

  @Test
  void aNegativeNumberIsNone() {
    Conclusion conclusion = only(torch("", "14.00 GiB", "-3.00 GiB"));
    assertThat(conclusion.message().quantity(FieldName.UNALLOCATED)).isEmpty();
  }

  @Test
  void ofOtherPrograms() {
    assertThat(
            certain(
                only(
                    "Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00GiB (rounded to"
                        + " 1073741824)\nStats: Limit: 9000000000 InUse: 90000000000\n")))
        .contains("contradict")
        .doesNotContain("of the limit of");
    Conclusion xla =
        only(
            "Out of memory while trying to allocate 100 bytes. BufferAssignment stats: parameter"
                + " allocation: 30.00GiB maybe_live_out allocation: 1.00GiB preallocated temp"
                + " allocation: 9.00GiB total allocation: 2.00GiB");
    assertThat(certain(xla)).contains("contradict");
    assertThat(xla.remedies()).extracting(Advice::text).noneMatch(text -> text.contains("%.1f"));
    assertThat(xla.remedies()).extracting(Advice::text).noneMatch(text -> text.contains("450"));
    assertThat(
            certain(
                only(
                    "Ran out of memory in memory space hbm. Used 10.00G of 15.48G hbm. Exceeded hbm"
                        + " capacity by 6.47G.")))
        .contains("contradict")
        .doesNotContain("does not fit");
  }

  @Test
  void whatIsMissingIsARowOfItsOwn() {
    Conclusion cut =
        only(
            "RuntimeError: CUDA out of memory. Tried to allocate 15.41 GiB. GPU 3 has a total"
                + " capacity of 79.10 GiB of which 15.00 GiB is free");
    assertThat(certain(cut)).contains("15 GiB free, less than the request");
    assertThat(cut.shares())
        .extracting(Share::kind)
        .containsExactly(Share.Kind.FREE, Share.Kind.UNKNOWN);
  }
}
