package dev.vramscope.explain.xla;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.LogExplanation;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Statement;
import dev.vramscope.model.Certainty;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One failure is one, in however many messages a log reports it. */
class BfcFailuresTest {
  private static final String STATS =
      "Stats:\nLimit: 18995773440\nInUse: 16000000000\nMaxInUse: 16000000000\n";
  private static final String REQUEST =
      "Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.72GiB (rounded to"
          + " 4000000000)requested by op\n";
  private static final String XLA =
      "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4000000000 bytes.\n";

  private static List<Conclusion> of(String text) {
    return LogExplanation.of(text).conclusions();
  }

  private static String said(Conclusion conclusion) {
    return String.join(" ", conclusion.statements().stream().map(Statement::text).toList());
  }

  @Test
  void theProgramsErrorBelongsToTheAllocators() {
    List<Conclusion> found = of(REQUEST + STATS + XLA);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().messages())
        .extracting(LogMessage::kind)
        .containsExactly(Xla.BFC, Xla.XLA_OOM);
    assertThat(said(found.getFirst()))
        .contains("957.71 MiB too little")
        .doesNotContain("How much memory was free");
    assertThat(found.getFirst().remedies())
        .extracting(Advice::code)
        .doesNotContain("XLA_PYTHON_CLIENT_PREALLOCATE=false");
  }

  @Test
  void theExactNumberOfAnotherMessageIsUsed() {
    String cut = "Ran out of memory trying to allocate 3.72GiB.\n";
    assertThat(said(of(STATS + cut + XLA).getFirst())).contains("957.71 MiB too little");
    // Alone, the rounded number does not look more exact than it is.
    assertThat(said(of(STATS + cut).getFirst())).contains("about 952.29 MiB too little");
  }

  @Test
  void aTensorBelongsToItsAllocator() {
    String dump =
        "Limit: 285474816\nInUse: 208404480\nMaxInUse: 208404480\nSum Total of in-use"
            + " chunks: 198.75MiB\n"
            + "Stats: Limit: 285474816 InUse: 208404480\n";
    List<Conclusion> found = of(dump + "OOM when allocating tensor with shape[128,225,225,3]\n");
    assertThat(found).hasSize(1);
    // Without the type of the elements, the size is an assumption.
    assertThat(found.getFirst().statements())
        .filteredOn(each -> each.text().contains("74.16 MiB"))
        .extracting(Statement::certainty)
        .containsOnly(Certainty.LIKELY);
    assertThat(
            of(
                dump.replace("Stats", "BFCAllocator dump for GPU_0_bfc\nStats")
                    + "OOM when allocating tensor with shape[9,9] and type float on /device:GPU:1"
                    + " by allocator GPU_1_bfc\n"))
        .hasSize(2);
  }

  @Test
  void otherRequestsAndOtherProcessesAreOtherFailures() {
    assertThat(of(REQUEST + STATS + XLA.replace("4000000000", "123456789"))).hasSize(2);
    String two =
        ("[rank0]: " + REQUEST + "[rank1]: " + REQUEST.replace("4000000000", "4000000256"))
            + "[rank0]: "
            + XLA;
    assertThat(of(two)).hasSize(1);
    assertThat(said(of(two).getFirst()))
        .contains("The log has the same kind of failure of 1 other process: rank 1");
  }

  @Test
  void aBufferAssignmentComesFirstIfTheAllocatorHasNoNumbers() {
    Conclusion conclusion =
        of(REQUEST
                + XLA
                + "BufferAssignment stats: parameter allocation: 1.00GiB\n"
                + " maybe_live_out allocation: 1.00GiB\n preallocated temp allocation: 3.72GiB\n"
                + " total allocation: 5.72GiB\n")
            .getFirst();
    assertThat(conclusion.headline()).startsWith("XLA could not allocate");
    assertThat(LogExplanation.of(REQUEST + XLA).summary()).doesNotContain("different");
  }
}
