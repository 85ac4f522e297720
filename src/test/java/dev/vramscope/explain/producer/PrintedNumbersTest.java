package dev.vramscope.explain.producer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.LogMessage;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Numbers that a program prints in words of its own. */
class PrintedNumbersTest {
  private static List<String> above(String text, int line) {
    return PrintedNumbers.of(text).above(line, List.of()).stream()
        .map(LogMessage::fields)
        .flatMap(List::stream)
        .map((Field field) -> field.of() + " = " + field.written())
        .toList();
  }

  private static String steps(String line, int... values) {
    return IntStream.range(0, values.length)
        .mapToObj(i -> line.replace("N", Integer.toString(10 * i)).replace("V", "" + values[i]))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void sizesHaveTheWordsBesideThem() {
    assertThat(
            above(
                """
                [run] 5,939,351,552 parameters, dtype torch.float32 (22.13 GiB)
                [run] step 0: backward ok, allocated 44.31 GiB, peak 49.86 GiB
                epoch 0 step 3140 loss 0.8101 gpu mem 31.7/79.3 GiB 1.9 s/it
                later: allocated 1.00 GiB
                """,
                4))
        .containsExactly(
            "parameters, dtype torch.float32 = 22.13 GiB",
            "backward ok, allocated = 44.31 GiB",
            "peak = 49.86 GiB",
            "gpu mem = 31.7 GiB",
            "gpu mem, out of = 79.3 GiB");
  }

  @Test
  void ratesAndCountersAreNoSizes() {
    assertThat(above("gpu copy 12 GB/s, weights 3 of 10, cache hits 512\n", 9)).isEmpty();
  }

  @Test
  void whatTheMessageSaysIsNotRepeated() {
    assertThat(above("torch.OutOfMemoryError: CUDA out of memory. 1.00 GiB is free\n", 9))
        .isEmpty();
  }

  @Test
  void aNumberThatGrowsIsNotThatOfTheSteps() {
    assertThat(
            PrintedNumbers.of(steps("[mem] eval step N: V MiB allocated", 10, 20, 30, 40, 50))
                .growth())
        .get()
        .extracting(GrowingNumber::first, GrowingNumber::last, GrowingNumber::count)
        .containsExactly("10 MiB", "50 MiB", 5);
    assertThat(PrintedNumbers.of(steps("[mem] eval step V", 10, 20, 30, 40, 50)).growth())
        .isEmpty();
    assertThat(PrintedNumbers.of(steps("memory of step V: ok", 1, 2, 3, 4, 5)).growth()).isEmpty();
  }

  @Test
  void numbersWithoutAUnitGrowToo() {
    assertThat(PrintedNumbers.of(steps("step N mem_used=V", 100, 150, 160, 170, 180)).growth())
        .get()
        .extracting(GrowingNumber::name, GrowingNumber::last)
        .containsExactly("mem_used", "180");
  }

  @Test
  void maximaAndWhatGoesDownDoNotGrow() {
    assertThat(PrintedNumbers.of(steps("max memory V MiB", 10, 20, 30, 40, 50)).growth()).isEmpty();
    assertThat(PrintedNumbers.of(steps("memory V MiB", 10, 50, 20, 60, 30, 70)).growth()).isEmpty();
  }
}
