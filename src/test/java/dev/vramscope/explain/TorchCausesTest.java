package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Statement;
import dev.vramscope.model.Certainty;
import org.junit.jupiter.api.Test;

/** What is certain of PyTorch's messages, within the rounding of their numbers. */
class TorchCausesTest {
  private static String torch(
      String requested, String free, String rest, String allocated, String unused) {
    return "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate "
        + requested
        + ". GPU 0 has a total capacity of 24.00 GiB of which "
        + free
        + " is free. "
        + rest
        + "Of the allocated memory "
        + allocated
        + " and "
        + unused
        + " is reserved by PyTorch but unallocated.";
  }

  private static Conclusion only(String text) {
    assertThat(LogExplanation.of(text).conclusions()).as(text).hasSize(1);
    return LogExplanation.of(text).conclusions().getFirst();
  }

  private static String with(Conclusion conclusion, Certainty certainty) {
    return String.join(
        " ",
        conclusion.statements().stream()
            .filter(each -> each.certainty() == certainty)
            .map(Statement::text)
            .toList());
  }

  @Test
  void roundedNumbersThatMayBeEnoughAreNotCalledTooLittle() {
    Conclusion conclusion =
        only(
            "RuntimeError: CUDA out of memory. Tried to allocate 16.00 MiB (GPU 0; 7.79 GiB total"
                + " capacity; 6.13 GiB already allocated; 10.06 MiB free; 6.15 GiB reserved in"
                + " total by PyTorch)");
    assertThat(with(conclusion, Certainty.CERTAIN)).doesNotContain("are enough alone");
    assertThat(with(conclusion, Certainty.LIKELY)).contains("rounded too coarsely");
  }

  @Test
  void whatPrivatePoolsHoldIsNotCalledTooLittle() {
    Conclusion conclusion =
        only(
            torch(
                "10.00 GiB",
                "0.50 GiB",
                "",
                "23.00 GiB is allocated by PyTorch, with 15.00 GiB allocated in private pools"
                    + " (e.g., CUDA Graphs),",
                "0.10 GiB"));
    assertThat(with(conclusion, Certainty.CERTAIN))
        .contains("Outside private pools", "15 GiB is free, but inside private pools")
        .doesNotContain("however it is arranged");
  }

  @Test
  void aCaptureKeepsTheCache() {
    Conclusion conclusion =
        only(
            "Capture cuda graph failed: "
                + torch(
                    "1.00 GiB", "0.20 GiB", "", "20.00 GiB is allocated by PyTorch,", "2.00 GiB"));
    assertThat(with(conclusion, Certainty.CERTAIN)).doesNotContain("empty_cache");
    assertThat(with(conclusion, Certainty.LIKELY)).contains("was being captured");
  }

  @Test
  void oneOfTwoListedProcessesIsThisOne() {
    Conclusion conclusion =
        only(
            torch(
                "2.00 GiB",
                "0.65 GiB",
                "Process 7 has 10.00 GiB memory in use. Process 8 has 13.00 GiB memory in use. ",
                "12.00 GiB is allocated by PyTorch,",
                "0.30 GiB"));
    assertThat(with(conclusion, Certainty.LIKELY)).contains("listed as 8 is this program itself");
    assertThat(with(conclusion, Certainty.CERTAIN)).contains("Other processes use 10 GiB");
    assertThat(conclusion.shares().stream().mapToLong(each -> each.quantity().bytes()).sum())
        .isLessThan((24L << 30) + (1L << 28));
  }

  @Test
  void aLimitDoesNotSayThatTheDeviceWasFull() {
    Conclusion conclusion =
        only(
            "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 24.00 GiB total"
                + " capacity; 4.00 GiB allowed; 3.00 GiB already allocated; 3.50 GiB reserved in"
                + " total by PyTorch)");
    assertThat(with(conclusion, Certainty.CERTAIN))
        .contains("exceeds the limit")
        .doesNotContain("too little free memory as well");
  }

  @Test
  void everyDeviceHasItsOwnWords() {
    Conclusion xpu =
        only(
            torch("16.00 GiB", "16.02 GiB", "", "0 bytes is allocated by PyTorch,", "0 bytes")
                .replace("CUDA", "XPU"));
    assertThat(with(xpu, Certainty.LIKELY)).contains("limits the size of one allocation");
    assertThat(xpu.headline()).contains("XPU 0");
    assertThat(xpu.next()).extracting(Advice::code).anyMatch(each -> each.contains("torch.xpu"));
    Conclusion old =
        only(
            "RuntimeError: XPU out of memory. Tried to allocate 1.00 GiB (GPU 0; 15.56 GiB total"
                + " capacity; 990.00 MiB already allocated; 990.00 MiB reserved in total by"
                + " PyTorch)");
    assertThat(with(old, Certainty.UNDECIDED)).contains("how much the device had free");
    assertThat(old.next()).extracting(Advice::text).noneMatch(text -> text.contains("whole"));
  }
}
