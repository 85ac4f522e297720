package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.evidence.Quantity;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Messages in every wording, in logs of several processes, and texts without one. */
class LogReaderTest {
  private static final String NEW =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total"
          + " capacity of 79.15 GiB of which 1.50 GiB is free. Process 42 has 3.00 GiB memory in"
          + " use. Including non-PyTorch memory, this process has 74.65 GiB memory in use. 70.00"
          + " GiB allowed; Of the allocated memory 60.25 GiB is allocated by PyTorch, with 1.00"
          + " GiB allocated in private pools (e.g., CUDA Graphs), and 9.75 GiB is reserved by"
          + " PyTorch but unallocated. If reserved but unallocated memory is large";
  private static final String OLD =
      "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 3; 10.92 GiB total"
          + " capacity; 9.00 GiB already allocated; 16.00 MiB free; 9.50 GiB reserved in total by"
          + " PyTorch)";

  private static String fields(Finding finding) {
    return finding.fields().stream()
        .map(field -> field.name().id() + " " + field.written())
        .collect(Collectors.joining(", "));
  }

  private static Finding only(String text) {
    List<Finding> findings = LogReader.read(text);
    assertThat(findings).as(text).hasSize(1);
    return findings.getFirst();
  }

  @Test
  void everyFieldOfTheNewWordingIsRead() {
    Finding finding = only(NEW);
    assertThat(finding.kind()).isEqualTo(FindingKind.TORCH);
    assertThat(fields(finding))
        .isEqualTo(
            "backend CUDA, requested 2.00 GiB, device 1, total 79.15 GiB, free 1.50 GiB, process"
                + " 3.00 GiB, this-process 74.65 GiB, allowed 70.00 GiB, allocated 60.25 GiB,"
                + " private-pools 1.00 GiB, unallocated 9.75 GiB");
    assertThat(finding.fields().get(5).of()).isEqualTo("42");
    assertThat(finding.quantity(FieldName.REQUESTED)).hasValue(new Quantity(2L << 30, 5_368_710));
  }

  @Test
  void theOldWordingAndItsUnits() {
    assertThat(fields(only(OLD)))
        .isEqualTo(
            "backend CUDA, requested 20.00 MiB, device 3, total 10.92 GiB, allocated 9.00 GiB, free"
                + " 16.00 MiB, reserved 9.50 GiB");
    assertThat(
            fields(only(OLD.replace("9.50 GiB reserved in total by PyTorch)", "9.50 GiB cached)"))))
        .endsWith("cached 9.50 GiB");
    assertThat(
            only("HIP out of memory. Tried to allocate 1024 bytes").quantity(FieldName.REQUESTED))
        .hasValue(new Quantity(1024, 0));
  }

  @Test
  void interleavedLinesOfSeveralProcessesAreToldApart() {
    String[] first = NEW.split("(?<=GiB) ", 4);
    String[] second = OLD.split("(?<=GiB|MiB) ", 4);
    StringBuilder log = new StringBuilder("epoch 3\n");
    for (int i = 0; i < 4; i++) {
      log.append("[rank0]: ").append(first[i]).append('\n');
      log.append("[rank1]: ").append(second[i]).append('\n');
    }
    List<Finding> findings = LogReader.read(log.toString());
    assertThat(findings).extracting(Finding::line).containsExactly(2, 3);
    assertThat(findings)
        .extracting(LogReaderTest::fields)
        .containsExactly(fields(only(NEW)), fields(only(OLD)));
  }

  @Test
  void equalMessagesAreCounted() {
    Finding finding = only((OLD + "\n").repeat(8));
    assertThat(finding.times()).isEqualTo(8);
    assertThat(LogReader.read(OLD + "\n" + NEW + "\n" + OLD)).hasSize(2);
  }

  @Test
  void fieldsOfTheNextMessageAreNotThoseOfThisOne() {
    String cut = OLD.substring(0, OLD.indexOf(" (GPU"));
    List<Finding> findings = LogReader.read(cut + "\n" + NEW);
    assertThat(fields(findings.getFirst())).isEqualTo("backend CUDA, requested 20.00 MiB");
  }

  @Test
  void messagesWithoutNumbersAndOfOtherBackends() {
    assertThat(only("CUDA out of memory. Tried to allocate more than 1EB memory").fields())
        .hasSize(2);
    assertThat(only("RuntimeError: CUDA error: out of memory").kind()).isEqualTo(FindingKind.CUDA);
    assertThat(
            only("NVML_SUCCESS == r INTERNAL ASSERT FAILED at"
                    + " \"c10/cuda/CUDACachingAllocator.cpp\":9")
                .kind())
        .isEqualTo(FindingKind.TORCH_NVML);
    Finding async =
        only(
            "Allocation on device 2 would exceed allowed memory. (out of memory)\nCurrently"
                + " allocated     : 1.00 GiB\nRequested               : 640.00 MiB\nDevice limit   "
                + "         : 14.75 GiB\nFree (according to CUDA): 27.06 MiB\nPyTorch limit (set by"
                + " user-supplied memory fraction)\n                        : 17179869184.00 GiB");
    assertThat(fields(async))
        .isEqualTo(
            "device 2, allocated 1.00 GiB, requested 640.00 MiB, total 14.75 GiB, free 27.06 MiB,"
                + " allowed 17179869184.00 GiB");
    assertThat(async.quantity(FieldName.ALLOWED)).as("no limit").isEmpty();
    assertThat(
            fields(
                only(
                    "MPS backend out of memory (MPS allocated: 2.44 GB, other allocations: 4.34 GB,"
                        + " max allowed: 6.77 GB). Tried to allocate 10.58 MB on private pool.")))
        .isEqualTo("allocated 2.44 GB, other 4.34 GB, allowed 6.77 GB, requested 10.58 MB");
  }

  @Test
  void textsWithoutAFailureHaveNone() {
    for (String text :
        List.of("", "\n\n", "the GPU has 80 GiB", "ran out of memory", "loss 0.3\nloss 0.2")) {
      assertThat(LogReader.read(text)).as(text).isEmpty();
    }
  }

  @Test
  void longTextsTakeTimeInProportionToTheirLength() {
    for (String part :
        List.of(
            "CUDA out of memory ",
            "Tried to allocate 1.00 ",
            "9",
            " ",
            "[rank1]: ",
            "a\n",
            "(Abpid=pid=pid=pid=pid=pid=pid=pid=pid=pid=\n",
            "NVML_SUCCESS == INTERNAL ASSERT FAILED at ",
            "std::bad_alloc: cudaErrorMemoryAllocatio ",
            "RuntimeError: CUDA out of memory ")) {
      String text = part.repeat(8_000_000 / part.length());
      long start = System.nanoTime();
      assertThat(LogReader.read(text)).hasSizeLessThanOrEqualTo(LogReader.MAX_FINDINGS);
      assertThat(System.nanoTime() - start)
          .as(String.format(Locale.ROOT, "'%s' repeated, ns", part))
          .isLessThan(2_000_000_000L);
    }
  }
}
