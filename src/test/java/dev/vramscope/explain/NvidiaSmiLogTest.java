package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Conclusion;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** nvidia-smi that repeats itself, in each of its forms; the numbers are those of the test. */
class NvidiaSmiLogTest {
  private static final long[] ZERO = {1042, 15830, 22518, 22518, 22518, 900};
  private static final long[] ONE = {500, 700, 900, 1100, 1300, 1500};

  private static List<Conclusion> explain(String text) {
    return LogExplanation.of(text).conclusions();
  }

  private static long mebibytes(Conclusion conclusion, String field) {
    return conclusion.message().fields().stream()
            .filter(each -> each.name().id().equals(field))
            .findFirst()
            .orElseThrow()
            .quantity()
            .orElseThrow()
            .bytes()
        >> 20;
  }

  private static String table() {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < ZERO.length; i++) {
      log.append("Mon Nov 30 09:15:0%d 2026       %n".formatted(i));
      log.append("+----------------------+----------------------+----------------------+\n");
      log.append("| NVIDIA-SMI 550.54.14   Driver Version: 550.54.14   CUDA Version: 12.4 |\n");
      long[] used = {ZERO[i], ONE[i]};
      for (int gpu = 0; gpu < 2; gpu++) {
        log.append(
            "|   %d  NVIDIA L4      On | 00000000:0%d:00.0 Off |     0 |%n".formatted(gpu, gpu));
        log.append(
            "| N/A  41C  P0  35W / 72W | %6dMiB / 23034MiB |   97%%   Default |%n"
                .formatted(used[gpu]));
      }
      log.append("+----------------------+----------------------+----------------------+\n\n");
    }
    return log.toString();
  }

  private static String csv(String suffix) {
    StringBuilder log =
        new StringBuilder("timestamp, index, name, memory.used [MiB], memory.total [MiB]\n");
    for (int i = 0; i < ZERO.length; i++) {
      log.append(
          "2026/11/30 09:15:0%d.118, 0, NVIDIA L4, %d%s, 23034%s%n"
              .formatted(i, ZERO[i], suffix, suffix));
      log.append(
          "2026/11/30 09:15:0%d.119, 1, NVIDIA L4, %d%s, 23034%s%n"
              .formatted(i, ONE[i], suffix, suffix));
    }
    return log.toString();
  }

  private static String dmon() {
    StringBuilder log =
        new StringBuilder(
            "#Time        gpu     fb   bar1   ccpm \n#HH:MM:SS    Idx     MB     MB     MB \n");
    for (int i = 0; i < ZERO.length; i++) {
      log.append(String.format(Locale.ROOT, " 09:15:0%d      0 %6d      4      0 %n", i, ZERO[i]));
      log.append(String.format(Locale.ROOT, " 09:15:0%d      1 %6d      4      0 %n", i, ONE[i]));
    }
    return log.toString();
  }

  @Test
  void eachFormHasFirstPeakAndLastOfEachGpu() {
    for (String log : List.of(table(), csv(" MiB"), csv(""), dmon())) {
      List<Conclusion> gpus = explain(log);
      assertThat(gpus).as(log).hasSize(2);
      for (int gpu = 0; gpu < 2; gpu++) {
        Conclusion conclusion = gpus.get(gpu);
        long[] used = gpu == 0 ? ZERO : ONE;
        assertThat(conclusion.message().written(FieldName.DEVICE)).hasValue("" + gpu);
        assertThat(conclusion.message().written(FieldName.RECORDS)).hasValue("6");
        assertThat(mebibytes(conclusion, "used-first")).isEqualTo(used[0]);
        assertThat(mebibytes(conclusion, "used-peak")).isEqualTo(gpu == 0 ? 22518 : 1500);
        assertThat(mebibytes(conclusion, "used")).isEqualTo(used[5]);
        assertThat(conclusion.message().kind().memory().id()).isEqualTo("device");
      }
      // The first sample with the peak, with the time that the text has.
      assertThat(gpus.getFirst().statements().getFirst().text()).contains("09:15:02", "09:15:05");
    }
  }

  @Test
  void onlyTheGrowingGpuGrowsAndOnlyTheFullOneIsFull() {
    List<Conclusion> gpus = explain(table());
    assertThat(texts(gpus.get(0))).contains("nearly full", "516 MiB").doesNotContain("leak");
    assertThat(texts(gpus.get(1))).contains("leak").doesNotContain("nearly full");
    // dmon does not have the size of the GPU.
    assertThat(texts(explain(dmon()).get(0)))
        .contains("How large the GPU is")
        .doesNotContain("nearly full");
  }

  private static String texts(Conclusion conclusion) {
    return conclusion.headline()
        + String.join(" ", conclusion.statements().stream().map(each -> each.text()).toList());
  }

  @Test
  void processesOfPmonAreToldApart() {
    List<Conclusion> processes =
        explain(
            """
            # gpu         pid   type     fb   command
            # Idx           #    C/G     MB   name
                0       48211     C    6120   python
                1           -     -       -   -
                0         977     G     120   Xorg
                0       48211     C    6384   python
                1           -     -       -   -
                0         977     G     120   Xorg
            """);
    assertThat(processes).hasSize(2);
    assertThat(processes.getFirst().headline())
        .contains("Process 48211 (python) on GPU 0", "6.23 GiB");
    assertThat(mebibytes(processes.get(1), "used-peak")).isEqualTo(120);
  }

  @Test
  void oneSampleIsNoLog() {
    String csv =
        "index, name, memory.used [MiB], memory.total [MiB]\n0, NVIDIA L4, 900 MiB, 23034 MiB\n";
    assertThat(explain(csv))
        .singleElement()
        .satisfies(gpu -> assertThat(gpu.message().kind().id()).isEqualTo("nvidia-smi"));
    List<LogMessage> none =
        Producers.read("# gpu  pid  fb  command\n# Idx  #  MB  name\n").messages();
    assertThat(none).isEmpty();
  }
}
