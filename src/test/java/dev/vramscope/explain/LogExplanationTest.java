package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.producer.Statement;
import dev.vramscope.model.Certainty;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What follows from messages, and that nothing follows from what they leave open. */
class LogExplanationTest {
  private static String torch(
      String requested, String total, String free, String rest, String allocated, String unused) {
    return "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate "
        + requested
        + ". GPU 0 has a total capacity of "
        + total
        + " of which "
        + free
        + " is free. "
        + rest
        + "Of the allocated memory "
        + allocated
        + " is allocated by PyTorch, and "
        + unused
        + " is reserved by PyTorch but unallocated.";
  }

  private static Conclusion only(String text) {
    List<Conclusion> conclusions = LogExplanation.of(text).conclusions();
    assertThat(conclusions).as(text).hasSize(1);
    return conclusions.getFirst();
  }

  private static List<String> with(Conclusion conclusion, Certainty certainty) {
    return conclusion.statements().stream()
        .filter(statement -> statement.certainty() == certainty)
        .map(Statement::text)
        .toList();
  }

  private static String certain(Conclusion conclusion) {
    return String.join(" ", with(conclusion, Certainty.CERTAIN));
  }

  private static String likely(Conclusion conclusion) {
    return String.join(" ", with(conclusion, Certainty.LIKELY));
  }

  @Test
  void tooLittleMemoryIsCertain() {
    Conclusion conclusion =
        only(torch("4.00 GiB", "16.00 GiB", "1.00 GiB", "", "14.00 GiB", "512.00 MiB"));
    assertThat(conclusion.headline()).contains("4.00 GiB on GPU 0");
    assertThat(certain(conclusion)).contains("2.5 GiB less than the request");
    assertThat(conclusion.remedies())
        .extracting(Advice::text)
        .singleElement()
        .asString()
        .contains("At least 2.5 GiB");
    assertThat(conclusion.shares())
        .extracting(share -> share.kind() + " " + share.quantity().bytes())
        .containsExactly(
            "ALLOCATED " + (14L << 30),
            "UNALLOCATED " + (1L << 29),
            "OUTSIDE " + (1L << 29),
            "FREE " + (1L << 30));
  }

  @Test
  void noticesThatDifferInNumbersOnlyAreOne() {
    String notice = "Decode out of memory happened. #retracted_reqs: ";
    LogExplanation explanation =
        LogExplanation.of((notice + "2\n").repeat(4) + notice + "1\n" + notice + "3\n");
    assertThat(explanation.conclusions()).hasSize(1);
    assertThat(explanation.conclusions().getFirst().times()).isEqualTo(6);
    assertThat(explanation.conclusions().getFirst().messages()).hasSize(3);
    assertThat(explanation.isFailure()).isFalse();
  }

  @Test
  void roundingLeavesACloseCallOpen() {
    // 1.00 + 1.00 GiB may be more or less than 2.00 GiB.
    Conclusion conclusion =
        only(torch("2.00 GiB", "16.00 GiB", "1.00 GiB", "", "13.00 GiB", "1.00 GiB"));
    assertThat(likely(conclusion)).contains("rounded too coarsely to tell");
    assertThat(certain(conclusion)).doesNotContain("less than the request", "in one piece");
  }

  @Test
  void unallocatedMemoryThatIsLargerThanTheRequestIsInPieces() {
    Conclusion conclusion =
        only(torch("2.00 GiB", "16.00 GiB", "0.50 GiB", "", "10.00 GiB", "5.00 GiB"));
    assertThat(certain(conclusion)).contains("holds 5 GiB that is not allocated");
    assertThat(likely(conclusion)).contains("Fragmentation");
    assertThat(conclusion.remedies())
        .extracting(Advice::code)
        .containsExactly("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True");
    assertThat(
            only(torch("2.00 GiB", "16.00 GiB", "0.50 GiB", "", "10.00 GiB", "5.00 GiB")
                    .replace("CUDA", "HIP"))
                .remedies())
        .extracting(Advice::code)
        .containsExactly("PYTORCH_HIP_ALLOC_CONF=expandable_segments:True");
  }

  @Test
  void freeAndUnallocatedMemoryTogether() {
    Conclusion conclusion =
        only(torch("2.00 GiB", "16.00 GiB", "1.50 GiB", "", "10.00 GiB", "1.80 GiB"));
    assertThat(certain(conclusion)).contains("together they are 3.3 GiB");
    assertThat(likely(conclusion)).contains("Expandable segments");
  }

  @Test
  void aRequestThatIsLargerThanTheDevice() {
    assertThat(
            certain(only(torch("30.00 GiB", "16.00 GiB", "15.00 GiB", "", "0 bytes", "0 bytes"))))
        .contains("larger than the whole device");
  }

  @Test
  void aLimitOfTheProgramIsToldFromAFullDevice() {
    Conclusion limited =
        only(
            torch(
                "2.00 GiB", "16.00 GiB", "11.00 GiB", "4.00 GiB allowed; ", "3.00 GiB", "0 bytes"));
    assertThat(certain(limited)).contains("The limit of the program refused the request");
    Conclusion full =
        only(
            torch(
                "2.00 GiB",
                "16.00 GiB",
                "1.00 GiB",
                "15.50 GiB allowed; ",
                "14.00 GiB",
                "0 bytes"));
    assertThat(certain(full)).contains("exceeds the limit", "less than the request");
    Conclusion refused =
        only(torch("2.00 GiB", "16.00 GiB", "11.00 GiB", "", "3.00 GiB", "0 bytes"));
    assertThat(certain(refused)).contains("11 GiB were free, more than the 2 GiB");
    assertThat(likely(refused)).contains("A limit that the message does not name");
  }

  @Test
  void theDriverKeepsTheLastOfItsMemory() {
    Conclusion conclusion =
        only(torch("20.00 MiB", "16.00 GiB", "41.00 MiB", "", "15.00 GiB", "1.00 MiB"));
    assertThat(likely(conclusion)).contains("The device is full");
    assertThat(certain(conclusion)).doesNotContain("Something other");
  }

  @Test
  void othersAreToldFromThisProcess() {
    Conclusion conclusion =
        only(
            torch(
                "4.00 GiB",
                "16.00 GiB",
                "1.00 GiB",
                "Process 7 has 6.00 GiB memory in use. Including non-PyTorch memory, this process"
                    + " has 9.00 GiB memory in use. ",
                "8.00 GiB",
                "512.00 MiB"));
    assertThat(certain(conclusion)).contains("process 7 6.00 GiB");
    assertThat(conclusion.shares())
        .extracting(Share::label)
        .containsExactly(
            "Allocated by this program",
            "Reserved but unallocated",
            "This process, outside the allocator",
            "Other processes",
            "Free on the device");
  }

  @Test
  void inAContainerTheOnlyListedProcessIsThisOne() {
    Conclusion conclusion =
        only(
            torch(
                "4.00 GiB",
                "16.00 GiB",
                "1.00 GiB",
                "Process 7 has 15.00 GiB memory in use. ",
                "14.00 GiB",
                "512.00 MiB"));
    assertThat(likely(conclusion)).contains("The process listed as 7 is this program itself");
    assertThat(certain(conclusion)).doesNotContain("Other processes");
  }

  @Test
  void freeMemoryOfPrivatePoolsIsNotAllocated() {
    Conclusion conclusion =
        only(
            torch("4.00 GiB", "16.00 GiB", "1.00 GiB", "", "14.00 GiB", "512.00 MiB")
                .replace(
                    "by PyTorch, and",
                    "by PyTorch, with 5.00 GiB allocated in private pools (e.g., CUDA Graphs),"
                        + " and"));
    assertThat(certain(conclusion)).contains("5 GiB of what the message calls allocated is free");
    assertThat(conclusion.shares().getFirst().quantity().bytes()).isEqualTo(9L << 30);
  }

  @Test
  void contradictingNumbersGiveNoCause() {
    Conclusion fallback =
        only(torch("1.00 GiB", "8.00 GiB", "0 bytes", "", "12.00 GiB", "1.00 GiB"));
    assertThat(certain(fallback)).contains("not in the memory of the device");
    Conclusion mixed = only(torch("1.00 GiB", "8.00 GiB", "7.00 GiB", "", "4.00 GiB", "1.00 GiB"));
    assertThat(certain(mixed)).contains("contradict each other").doesNotContain("refused");
    assertThat(mixed.remedies()).isEmpty();
  }

  @Test
  void aCutMessageGivesNoCause() {
    Conclusion conclusion = only("CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 10.92");
    assertThat(conclusion.statements())
        .extracting(Statement::certainty)
        .containsOnly(Certainty.UNDECIDED);
    assertThat(only("RuntimeError: CUDA out of memory").statements())
        .extracting(Statement::certainty)
        .containsOnly(Certainty.UNDECIDED);
  }

  @Test
  void bfcAllocators() {
    String stats =
        " requested by op\nStats:\nLimit: 1000000000\nInUse: 600000000\nMaxInUse: 600000000\n";
    String start =
        "Allocator (GPU_0_bfc) ran out of memory trying to allocate 476.83MiB (rounded to ";
    assertThat(certain(only(start + "500000000)" + stats))).contains("too little for the request");
    Conclusion pieces = only(start + "300000000)" + stats);
    assertThat(certain(pieces)).contains("the free memory is in pieces");
    Conclusion driver =
        only(
            "Total bytes in pool: 650000000 memory_limit_: 1000000000 available bytes: 350000000\n"
                + stats
                + "Ran out of memory trying to allocate 190.73MiB.");
    assertThat(likely(driver)).contains("the driver had no such piece");
    assertThat(pieces.remedies())
        .extracting(Advice::code)
        .contains("XLA_PYTHON_CLIENT_PREALLOCATE=false", "XLA_PYTHON_CLIENT_ALLOCATOR=platform");
  }

  @Test
  void aBfcDumpTakesTheSizeOfTheTensor() {
    LogExplanation explanation =
        LogExplanation.of(
            "Stats: Limit: 1000000000 InUse: 900000000\nOOM when allocating tensor with"
                + " shape[1000,1000,100] and type float on /device:GPU:0 by allocator GPU_0_bfc");
    Conclusion conclusion = explanation.conclusions().getFirst();
    assertThat(explanation.conclusions()).hasSize(1);
    assertThat(conclusion.headline()).contains("381.47 MiB");
    assertThat(certain(conclusion)).contains("286.1 MiB too little", "in one piece either");
    assertThat(conclusion.remedies())
        .extracting(Advice::text)
        .singleElement()
        .asString()
        .startsWith("At least 286.1 MiB has to be freed");
    assertThat(
            only("Stats: Limit: 1000000000 InUse: 500000000\nOOM when allocating tensor with"
                    + " shape[1000,1000,100] and type float")
                .remedies())
        .extracting(Advice::code)
        .contains("TF_GPU_ALLOCATOR=cuda_malloc_async");
  }

  @Test
  void bufferAssignmentsShowWhatWouldShrink() {
    Conclusion conclusion =
        only(
            """
            RESOURCE_EXHAUSTED: Out of memory while trying to allocate 9663676416 bytes.
            BufferAssignment stats:
             parameter allocation: 3.00GiB
             constant allocation: 0B
             maybe_live_out allocation: 2.00GiB
             preallocated temp allocation: 9.00GiB
             total allocation: 14.00GiB
            Peak buffers:
            Buffer 1:
             Size: 4.00GiB
             Operator: op_name="jit(f)/mul" source_file="/a/train.py" source_line=12
             Shape: f32[1024,1024]
            """);
    assertThat(likely(conclusion)).contains("the program’s temporary memory");
    assertThat(certain(conclusion)).contains("jit(f)/mul, train.py:12, f32[1024,1024]");
    assertThat(conclusion.remedies())
        .extracting(Advice::text)
        .anyMatch(text -> text.contains("64 % of the program. Rematerialisation"))
        .anyMatch(text -> text.contains("saves at most 2 GiB"));
  }

  @Test
  void privatePoolsThatKeepMoreThanTheRequestAreAnAdvice() {
    Conclusion conclusion =
        only(
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a"
                + " total capacity of 24.00 GiB of which 1.00 GiB is free. Of the allocated memory"
                + " 20.00 GiB is allocated by PyTorch, with 6.00 GiB allocated in private pools"
                + " (e.g., CUDA Graphs), and 2.00 GiB is reserved by PyTorch but unallocated.");
    assertThat(likely(conclusion)).contains("this program has private pools, as captures do");
    assertThat(certain(conclusion)).doesNotContain("empty_cache");
    assertThat(conclusion.remedies())
        .extracting(Advice::text)
        .anyMatch(text -> text.startsWith("Free what the private pools keep"));
  }

  @Test
  void outputsThatReuseParametersAreDonatedAlready() {
    Conclusion conclusion =
        only(
            """
            RESOURCE_EXHAUSTED: Out of memory while trying to allocate 9663676416 bytes.
            BufferAssignment stats:
             parameter allocation: 3.00GiB
             constant allocation: 0B
             maybe_live_out allocation: 2.00GiB
             preallocated temp allocation: 9.00GiB
             total allocation: 12.00GiB
            """);
    assertThat(certain(conclusion)).contains("outputs 2 GiB (in the memory of donated parameters)");
    assertThat(conclusion.remedies())
        .extracting(Advice::text)
        .noneMatch(text -> text.contains("Donate"));
  }

  @Test
  void warningsAndReportsAreNoFailures() {
    LogExplanation warning =
        LogExplanation.of(
            "Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.37GiB with"
                + " freed_by_count=0. The caller indicates that this is not a failure");
    assertThat(warning.summary()).startsWith("No request failed in this text");
    assertThat(certain(warning.conclusions().getFirst())).contains("This is not a failure");
  }

  @Test
  void otherTextsSayWhatTheyAre() {
    assertThat(LogExplanation.of("Traceback\n  File \"a.py\"\nKeyError: 'lr'").summary())
        .contains("no message", "KeyError: 'lr'");
    assertThat(LogExplanation.of("hello").summary()).doesNotContain("exception");
  }

  @Test
  void theHostsMemoryIsNotTheDevices() {
    assertThat(
            certain(only("Out of memory: Killed process 42 (python) total-vm:1kB, anon-rss:2kB")))
        .contains("memory of the host");
  }
}
