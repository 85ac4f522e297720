package dev.vramscope.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailureTextTest {
  private static String ofRelease2(Object[] texts) {
    return String.format(
        Locale.ROOT,
        "CUDA out of memory. Tried to allocate %s. GPU 0 has a total capacity of %s of which %s is"
            + " free. Process 4711 has %s memory in use. Including non-PyTorch memory, this process"
            + " has %s memory in use. Of the allocated memory %s is allocated by PyTorch, with 1.00"
            + " MiB allocated in private pools (e.g., CUDA Graphs), and %s is reserved by PyTorch"
            + " but unallocated. If reserved but unallocated memory is large try setting",
        texts);
  }

  private static String ofRelease1(Object[] texts) {
    return String.format(
        Locale.ROOT,
        "CUDA out of memory. Tried to allocate %s (GPU 0; %s total capacity; %s already allocated;"
            + " %s free; %s reserved in total by PyTorch)",
        texts);
  }

  /** As {@code format_size} of PyTorch. */
  private static String text(long bytes) {
    if (bytes <= 1024) {
      return bytes + " bytes";
    }
    for (int shift = 10; shift <= 30; shift += 10) {
      if (bytes <= 1L << (shift + 10) || shift == 30) {
        String unit = List.of("KiB", "MiB", "GiB").get(shift / 10 - 1);
        return String.format(Locale.ROOT, "%.2f %s", bytes / (double) (1L << shift), unit);
      }
    }
    throw new AssertionError();
  }

  @Test
  void numbersOfEveryMessageAreWithinTheirRounding() {
    SplittableRandom random = new SplittableRandom(20261123);
    for (int round = 0; round < 2_000; round++) {
      long[] sizes = new long[7];
      Object[] texts = new Object[7];
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = random.nextLong(1L << random.nextInt(1, 40));
        texts[i] = text(sizes[i]);
      }
      FailureText found = FailureText.parse(wrapped(ofRelease2(texts), random)).orElseThrow();
      check(found.requested(), sizes[0]);
      check(found.total(), sizes[1]);
      check(found.free(), sizes[2]);
      assertThat(found.otherProcesses()).hasSize(1);
      assertThat(found.otherProcesses().getFirst().memory().mayBe(sizes[3])).isTrue();
      check(found.thisProcess(), sizes[4]);
      check(found.allocated(), sizes[5]);
      check(found.unallocated(), sizes[6]);
      assertThat(found.reserved()).isEmpty();

      FailureText old = FailureText.parse(wrapped(ofRelease1(texts), random)).orElseThrow();
      check(old.requested(), sizes[0]);
      check(old.total(), sizes[1]);
      check(old.allocated(), sizes[2]);
      check(old.free(), sizes[3]);
      check(old.reserved(), sizes[4]);
      assertThat(old.thisProcess()).isEmpty();
    }
  }

  private static void check(Optional<Quantity> found, long bytes) {
    assertThat(found.orElseThrow().mayBe(bytes)).as(found + " " + bytes).isTrue();
    assertThat(found.orElseThrow().errorBytes()).isLessThanOrEqualTo(5_368_710); // 0.005 GiB
  }

  /** Wrapped at blanks, as terminals and mails do. */
  private static String wrapped(String text, SplittableRandom random) {
    StringBuilder wrapped = new StringBuilder("[rank3]: torch.OutOfMemoryError: ");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      wrapped.append(
          c == ' ' && random.nextInt(9) == 0 ? (random.nextBoolean() ? "\n> " : "\r\n  ") : "" + c);
    }
    return wrapped.toString();
  }

  @Test
  void takesTheSpellingOfRelease21AndTheWordsOfRelease10() {
    assertThat(
            FailureText.parse("Tried to allocate 20.00 MiB. GPU 1 has a total capacty of 23.65 GiB")
                .orElseThrow()
                .total())
        .hasValue(new Quantity(25_393_994_138L, 5_368_710));
    FailureText first =
        FailureText.parse(
                "Tried to allocate 512 bytes (GPU 0; 8.00 GiB total capacity; 6 MiB already"
                    + " allocated; 0 bytes free; 1.25 MiB cached)")
            .orElseThrow();
    assertThat(first.requested()).hasValue(new Quantity(512, 0));
    assertThat(first.allocated()).hasValue(new Quantity(6 << 20, 1 << 19));
    assertThat(first.free()).hasValue(new Quantity(0, 0));
    assertThat(first.reserved()).hasValue(new Quantity(1_310_720, 5_243));
  }

  @Test
  void textsWithoutNumbersAreNoMessage() {
    assertThat(FailureText.parse("")).isEmpty();
    assertThat(FailureText.parse("CUDA error: out of memory")).isEmpty();
    assertThat(FailureText.parse("Tried to allocate more than 1EB memory.")).isEmpty();
    assertThat(FailureText.parse("total capacity of 99999999999999999999 GiB")).isEmpty();
  }

  static List<Path> failures() throws IOException {
    Path root = TestData.folder("ooms");
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .map(each -> each.resolve("truth.json"))
          .filter(Files::exists)
          .sorted()
          .toList();
    }
  }

  /** The messages of PyTorch's own allocator have the numbers of the failures. */
  @ParameterizedTest
  @MethodSource("failures")
  void messagesOfTheOriginalHaveTheNumbersOfTheFailure(Path truth) throws IOException {
    String json = Files.readString(truth);
    Matcher message = Pattern.compile("\"message\": \"([^\"]*)\"").matcher(json);
    assertThat(message.find()).isTrue();
    FailureText found = FailureText.parse(message.group(1)).orElseThrow();
    check(found.requested(), number(json, "askedBytes"));
    check(found.total(), number(json, "totalBytes"));
  }

  @Test
  void readsProcessesDeviceAndLimit() {
    FailureText found =
        FailureText.parse(
                "Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 16.00 GiB of which 1.00"
                    + " GiB is free. Process 7 has 256.00 MiB memory in use. Process 8 has 1.00 GiB"
                    + " memory in use. Including non-PyTorch memory, this process has 9.00 GiB"
                    + " memory in use. 8.00 GiB allowed; Of the allocated memory 6.70 GiB is"
                    + " allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated."
                    + " [rank1] Process 9 has 1.00 GiB memory in use.")
            .orElseThrow();
    assertThat(found.device()).hasValue(3);
    assertThat(found.allowed()).hasValue(new Quantity(8L << 30, 5_368_710));
    assertThat(found.thisProcess().orElseThrow().bytes()).isEqualTo(9L << 30);
    assertThat(found.otherProcesses()).extracting(ProcessUse::pid).containsExactly(7L, 8L);
    assertThat(found.otherProcesses().getFirst().memory().bytes()).isEqualTo(256 << 20);
  }

  private static long number(String json, String member) {
    Matcher value = Pattern.compile("\"" + member + "\": ([0-9]+)").matcher(json);
    assertThat(value.find()).isTrue();
    return Long.parseLong(value.group(1));
  }
}
