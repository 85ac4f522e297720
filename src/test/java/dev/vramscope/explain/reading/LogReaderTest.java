package dev.vramscope.explain.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.LogExplanation;
import dev.vramscope.explain.Producers;
import dev.vramscope.explain.library.DriverErrors;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LeftOut;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.LogMessages;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.torch.PyTorch;
import dev.vramscope.explain.xla.Xla;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Messages in every wording, in logs of several processes, and texts without one. */
class LogReaderTest {
  /**
   * CPU time of a text of 8 million characters, in ns: 0.1 to 1.2 s on a quiet machine, up to 3.5 s
   * beside other work; one step per pair of characters would take hours.
   */
  private static final long MOST_NS = 20_000_000_000L;

  /** Other programs on the machine do not count. */
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

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

  private static String fields(LogMessage message) {
    return message.fields().stream()
        .map(field -> field.name().id() + " " + field.written())
        .collect(Collectors.joining(", "));
  }

  private static LogMessage only(String text) {
    List<LogMessage> messages = Producers.read(text).messages();
    assertThat(messages).as(text).hasSize(1);
    return messages.getFirst();
  }

  @Test
  void everyFieldOfTheNewWordingIsRead() {
    LogMessage message = only(NEW);
    assertThat(message.kind()).isEqualTo(PyTorch.TORCH);
    assertThat(fields(message))
        .isEqualTo(
            "backend CUDA, requested 2.00 GiB, device 1, total 79.15 GiB, free 1.50 GiB, process"
                + " 3.00 GiB, this-process 74.65 GiB, allowed 70.00 GiB, allocated 60.25 GiB,"
                + " private-pools 1.00 GiB, unallocated 9.75 GiB");
    assertThat(message.fields().get(5).of()).isEqualTo("42");
    assertThat(message.quantity(FieldName.REQUESTED)).hasValue(new Quantity(2L << 30, 5_368_710));
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
    List<LogMessage> messages = Producers.read(log.toString()).messages();
    assertThat(messages).extracting(LogMessage::line).containsExactly(2, 3);
    assertThat(messages)
        .extracting(LogReaderTest::fields)
        .containsExactly(fields(only(NEW)), fields(only(OLD)));
  }

  @Test
  void sizesAreWrittenAsInTheText() {
    LogMessage apart = only(OLD);
    LogMessage together = only(OLD.replace(" MiB", "MiB").replace(" GiB", "GiB"));
    assertThat(fields(together))
        .isEqualTo(fields(apart).replace(" MiB", "MiB").replace(" GiB", "GiB"));
    assertThat(together.fields())
        .extracting(Field::quantity)
        .isEqualTo(apart.fields().stream().map(Field::quantity).toList());
  }

  @Test
  void equalMessagesAreCounted() {
    LogMessage message = only((OLD + "\n").repeat(8));
    assertThat(message.times()).isEqualTo(8);
    assertThat(Producers.read(OLD + "\n" + NEW + "\n" + OLD).messages()).hasSize(2);
  }

  @Test
  void everyMessageIsCounted() {
    for (int times : new int[] {1, 199, 200, 201, 250, 5000}) {
      String other = OLD.replace("20.00 MiB", "40.00 GiB");
      String text = (OLD + "\n").repeat(times) + "epoch 3\n" + other;
      LogMessages read = Producers.read(text);
      assertThat(read.messages()).extracting(LogMessage::times).containsExactly(times, 1);
      assertThat(read.leftOut()).isEqualTo(LeftOut.NONE);
      assertThat(LogExplanation.of(text).conclusions())
          .extracting(each -> each.message().line())
          .containsExactly(1, times + 2);
    }
  }

  /** Four kinds of messages: two of failures, a warning, and a report. */
  private static String message(int kind, int number) {
    return switch (kind) {
      case 0 -> "CUDA out of memory. Tried to allocate " + number + " bytes\n";
      case 1 -> "Out of memory allocating " + number + " bytes\n";
      case 2 ->
          "Allocator (GPU_0_bfc) ran out of memory trying to allocate "
              + number
              + "B. The caller indicates that this is not a failure\n";
      default -> "PyTorch CUDA memory summary, device ID " + number % 1000 + "\n";
    };
  }

  /** A message of the text, and how often it occurs. */
  private record Counted(String message, int kind, int rank, int times) {
    Counted plus(Counted other) {
      return new Counted(message, kind, rank, times + other.times);
    }

    boolean isSameKind(Counted other) {
      return kind == other.kind;
    }
  }

  @Test
  void theLeastImportantAreLeftOutAndCounted() {
    List<MessageKind> kinds =
        List.of(PyTorch.TORCH, Xla.XLA_OOM, Xla.BFC_WARNING, PyTorch.MEMORY_SUMMARY);
    for (long seed = 1; seed <= 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int numbers = random.nextInt(1, 400);
      int[] shares = random.ints(4, 1, 20).toArray();
      StringBuilder text = new StringBuilder();
      Map<String, Counted> different = new LinkedHashMap<>();
      String lastFailure = "";
      for (int i = 0; i < 1500; i++) {
        int pick = random.nextInt(shares[0] + shares[1] + shares[2] + shares[3]);
        int kind = 0;
        while (pick >= shares[kind]) {
          pick -= shares[kind++];
        }
        String message = message(kind, random.nextInt(numbers));
        text.append(message);
        lastFailure = kind < 2 ? message : lastFailure;
        int role = Math.max(1, kind);
        boolean isFirst =
            different.values().stream().noneMatch(new Counted(message, kind, 0, 0)::isSameKind);
        different.merge(message, new Counted(message, kind, isFirst ? 0 : role, 1), Counted::plus);
      }
      // The first of a kind and the last failure come before all, failures before warnings, these
      // before reports, and frequent ones before rare ones.
      Counted last = different.get(lastFailure);
      List<Counted> kept = new ArrayList<>(different.values());
      kept.sort(
          Comparator.<Counted>comparingInt(each -> each.equals(last) ? 0 : each.rank())
              .thenComparingInt(each -> each.equals(last) || each.rank() == 0 ? 0 : -each.times()));
      List<Counted> left =
          kept.size() <= MessageTable.MAX ? List.of() : kept.subList(MessageTable.MAX, kept.size());
      List<String> expected =
          different.values().stream()
              .filter(each -> !left.contains(each))
              .map(each -> kinds.get(each.kind()) + " " + each.times())
              .toList();
      LogMessages read = Producers.read(text.toString());
      assertThat(read.messages().stream().map(each -> each.kind() + " " + each.times()))
          .as("seed " + seed)
          .containsExactlyElementsOf(expected);
      assertThat(read.leftOut())
          .as("seed " + seed)
          .isEqualTo(
              new LeftOut(
                  left.stream().filter(each -> each.kind() < 2).mapToLong(Counted::times).sum(),
                  left.stream().filter(each -> each.kind() >= 2).mapToLong(Counted::times).sum()));
      String summary = LogExplanation.of(text.toString()).summary();
      assertThat(summary.contains("left out")).isEqualTo(!left.isEmpty());
      assertThat(summary)
          .startsWith(
              different.values().stream().filter(each -> each.kind() < 2).count()
                  + " different failures. ");
    }
  }

  @Test
  void theLastFailureAndFrequentOnesAreListedHoweverLateTheyAre() {
    for (int others : new int[] {199, 200, 201, 250, 3000}) {
      StringBuilder text = new StringBuilder();
      for (int i = 1; i <= others; i++) {
        text.append("CUDA out of memory. Tried to allocate ").append(i).append(" bytes\n");
      }
      // Its first occurrence is forgotten before the next ones.
      String frequent = "CUDA out of memory. Tried to allocate 40.00 GiB\n";
      String last = "CUDA out of memory. Tried to allocate 7.00 GiB\n";
      text.insert(text.indexOf("\n", text.length() / 2) + 1, frequent)
          .append(frequent)
          .append(frequent)
          .append(last);
      LogExplanation explanation = LogExplanation.of(text.toString());
      List<LogMessage> messages =
          explanation.conclusions().stream().map(Conclusion::message).toList();
      assertThat(messages).hasSize(MessageTable.MAX);
      assertThat(messages.getFirst().line()).isEqualTo(1);
      assertThat(messages)
          .filteredOn(each -> each.times() == 3)
          .singleElement()
          .satisfies(each -> assertThat(each.line()).isLessThan(others))
          .satisfies(each -> assertThat(each.written(FieldName.REQUESTED)).hasValue("40.00 GiB"));
      assertThat(messages.getLast().written(FieldName.REQUESTED)).hasValue("7.00 GiB");
      assertThat(explanation.leftOut()).isEqualTo(new LeftOut(others + 4L - 202, 0));
      assertThat(explanation.summary()).startsWith(others + 2 + " different failures. The first: ");
    }
  }

  @Test
  void failureThatIsNotTheFirstIsNotCalledSo() {
    String message =
        "CUDA out of memory. Tried to allocate %d.00 GiB. GPU 0 has a total capacity of 8.00 GiB of"
            + " which 1.10 GiB is free.\n";
    assertThat(LogExplanation.of(message.formatted(1) + message.formatted(2)).summary())
        .startsWith("2 different failures. The clearest, at line 2: ");
    assertThat(LogExplanation.of(message.formatted(2) + message.formatted(1)).summary())
        .startsWith("2 different failures. The first: ");
  }

  @Test
  void messagesThatMayBelongTogetherAreNotCountedAsFailures() {
    StringBuilder text = new StringBuilder("Stats: Limit: 1000000000 InUse: 900000000\n");
    for (int i = 1; i <= 300; i++) {
      text.append("Out of memory while trying to allocate ").append(i * 512).append(" bytes\n");
    }
    assertThat(LogExplanation.of(text.toString()).summary()).startsWith("At least 1");
  }

  @Test
  void theLargestEntriesOfALongListAreListed() {
    StringBuilder text = new StringBuilder("Sum Total of in-use chunks: 1.0GiB\n");
    for (int i = 1; i <= 300; i++) {
      text.append("1 Chunks of size ").append(i * 256).append(" totalling ");
      text.append(i * 256).append("B\n");
    }
    List<Field> fields = only(text.toString()).fields();
    assertThat(fields.stream().filter(each -> each.name() == FieldName.CHUNKS))
        .hasSize(200)
        .extracting(each -> each.quantity().orElseThrow().bytes())
        .startsWith(101 * 256L)
        .endsWith(300 * 256L);
    assertThat(fields.getLast().name()).isEqualTo(FieldName.LEFT_OUT);
    assertThat(fields.getLast().written()).isEqualTo("100");
  }

  @Test
  void fieldsOfTheNextMessageAreNotThoseOfThisOne() {
    String cut = OLD.substring(0, OLD.indexOf(" (GPU"));
    List<LogMessage> messages = Producers.read(cut + "\n" + NEW).messages();
    assertThat(fields(messages.getFirst())).isEqualTo("backend CUDA, requested 20.00 MiB");
  }

  @Test
  void messagesWithoutNumbersAndOfOtherBackends() {
    assertThat(only("CUDA out of memory. Tried to allocate more than 1EB memory").fields())
        .hasSize(2);
    assertThat(only("RuntimeError: CUDA error: out of memory").kind()).isEqualTo(DriverErrors.CUDA);
    assertThat(
            only("NVML_SUCCESS == r INTERNAL ASSERT FAILED at"
                    + " \"c10/cuda/CUDACachingAllocator.cpp\":9")
                .kind())
        .isEqualTo(PyTorch.TORCH_NVML);
    LogMessage async =
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
      assertThat(Producers.read(text).messages()).as(text).isEmpty();
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
            "RuntimeError: CUDA out of memory ",
            NEW + "\n",
            "Bin (256): ")) {
      String text = part.repeat(8_000_000 / part.length());
      long start = THREADS.getCurrentThreadCpuTime();
      assertThat(Producers.read(text).messages()).hasSizeLessThanOrEqualTo(MessageTable.MAX);
      assertThat(THREADS.getCurrentThreadCpuTime() - start)
          .as(String.format(Locale.ROOT, "'%s' repeated, ns", part))
          .isLessThan(MOST_NS);
    }
  }
}
