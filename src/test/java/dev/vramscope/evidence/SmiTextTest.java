package dev.vramscope.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.evidence.SmiText.Gpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SmiTextTest {
  private static final Quantity ONE_OFF = new Quantity(0, 1 << 20);

  private static Quantity mib(long mebibytes) {
    return new Quantity(mebibytes << 20, ONE_OFF.errorBytes());
  }

  private static SmiText parsed(String text) {
    return (SmiText) Evidence.parse(text).orElseThrow();
  }

  static final String TWO_GPUS =
      """
      $ nvidia-smi
      Mon Nov 23 08:00:00 2026
      +-----------------------------------------------------------------------------------------+
      | NVIDIA-SMI 570.10.01              Driver Version: 570.10.01      CUDA Version: 12.8     |
      |-----------------------------------------+------------------------+----------------------+
      | GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
      | Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
      |                                         |                        |               MIG M. |
      |=========================================+========================+======================|
      |   0  NVIDIA H100 80GB HBM3          On  |   00000000:18:00.0 Off |                    0 |
      | N/A   31C    P0             72W /  700W |   12300MiB /  81559MiB |      0%      Default |
      |                                         |                        |             Disabled |
      +-----------------------------------------+------------------------+----------------------+
      |   1  NVIDIA H100 80GB HBM3          On  |   00000000:2A:00.0 Off |                    0 |
      | N/A   33C    P0             75W /  700W |       4MiB /  81559MiB |      0%      Default |
      |                                         |                        |             Disabled |
      +-----------------------------------------+------------------------+----------------------+

      +-----------------------------------------------------------------------------------------+
      | Processes:                                                                              |
      |  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
      |        ID   ID                                                               Usage      |
      |=========================================================================================|
      |    0   N/A  N/A           48211      C   python train.py                       12288MiB |
      |    0   N/A  N/A            2207      G   /usr/lib/xorg/Xorg                        8MiB |
      +-----------------------------------------------------------------------------------------+
      """;

  @Test
  void tableHasGpusAndTheirProcesses() {
    SmiText found = parsed(TWO_GPUS);
    assertThat(found.isDivided()).isFalse();
    assertThat(found.gpus())
        .containsExactly(
            new Gpu(
                0,
                "NVIDIA H100 80GB HBM3",
                Optional.of(mib(12300)),
                mib(81559),
                List.of(
                    new ProcessUse(48211, "python train.py", mib(12288)),
                    new ProcessUse(2207, "/usr/lib/xorg/Xorg", mib(8))),
                true),
            new Gpu(1, "NVIDIA H100 80GB HBM3", Optional.of(mib(4)), mib(81559), List.of(), true));
  }

  @Test
  void tableOfAnOldDriverHasNoInstances() {
    SmiText found =
        parsed(
            """
            > |   2  Tesla K80           On   | 00000000:04:00.0 Off |                    0 |
            > | N/A   28C    P8    26W / 149W |   9001MiB / 11439MiB |      0%      Default |
            > +-------------------------------+----------------------+----------------------+
            > | Processes:                                                       GPU Memory |
            > |    2      1234    C   python                                       8990MiB |
            """);
    assertThat(found.gpus())
        .containsExactly(
            new Gpu(
                2,
                "Tesla K80",
                Optional.of(mib(9001)),
                mib(11439),
                List.of(new ProcessUse(1234, "python", mib(8990))),
                true));
  }

  @Test
  void processesWithoutMemoryAreNotAllProcesses() {
    Gpu windows =
        parsed(
                """
                |   0  NVIDIA GeForce ... WDDM  | 00000000:01:00.0  On |                  N/A |
                | N/A   53C    P8     8W /  N/A |    451MiB /  6144MiB |      6%      Default |
                | Processes:                                                                  |
                |    0   N/A  N/A      4264    C+G   ...e\\Explorer.EXE                N/A      |
                """)
            .gpus()
            .getFirst();
    assertThat(windows.hasAllProcesses()).isFalse();
    assertThat(windows.processes()).isEmpty();
    assertThat(windows.total()).isEqualTo(mib(6144));
  }

  @Test
  void csvIsReadByItsHeader() {
    SmiText found =
        parsed(
            """
            index, uuid, name, memory.total [MiB], memory.used [MiB]
            0, GPU-aa, NVIDIA A100-SXM4-40GB, 40960 MiB, 1187 MiB
            3, GPU-bb, NVIDIA A100-SXM4-40GB, 40960 MiB, 0 MiB
            gpu_uuid, pid, process_name, used_gpu_memory [MiB]
            GPU-aa, 77, python, 1178 MiB
            """);
    assertThat(found.gpus())
        .containsExactly(
            new Gpu(
                0,
                "NVIDIA A100-SXM4-40GB",
                Optional.of(mib(1187)),
                mib(40960),
                List.of(new ProcessUse(77, "python", mib(1178))),
                true),
            new Gpu(3, "NVIDIA A100-SXM4-40GB", Optional.of(mib(0)), mib(40960), List.of(), true));

    Gpu withoutUnits = parsed("name, memory.total [MiB]\nNVIDIA L4, 23034\n").gpus().getFirst();
    assertThat(withoutUnits)
        .isEqualTo(new Gpu(0, "NVIDIA L4", Optional.empty(), mib(23034), List.of(), false));
  }

  @Test
  void aNumberOfTheCsvHasTheUnitOfItsColumn() {
    Gpu gibibytes =
        parsed("name, memory.total [GiB], memory.used\nA, 24, 1024 MiB\n").gpus().getFirst();
    assertThat(gibibytes.total()).isEqualTo(new Quantity(24L << 30, 1L << 30));
    assertThat(gibibytes.used()).hasValue(mib(1024));
    assertThat(parsed("name, memory.total [MiB], memory.used\nA, 24, 3\n").gpus().getFirst().used())
        .isEmpty();
    assertThat(SmiText.parse("name, memory.total\nA, 24564\n")).isEmpty();
  }

  @Test
  void migDevicesAreNotTheGpu() {
    String divided =
        """
        |   0  NVIDIA A100-SXM4-40GB          On  | 00000000:07:00.0 Off |                   On |
        | N/A   30C    P0              44W / 400W |     87MiB / 40960MiB |     N/A      Default |
        | MIG devices:                                                                          |
        |  0    1   0   0  |              37MiB / 19968MiB  | 42      0 |  3   0    2    0    0 |
        """;
    assertThat(parsed(divided).isDivided()).isTrue();
    assertThat(parsed(divided).gpus()).hasSize(1);
    assertThat(parsed(divided).gpus().getFirst().total()).isEqualTo(mib(40960));
  }

  /** Tables of drivers from 2018 to 2025, with and without processes. */
  @NeedsThirdPartyFiles
  @Test
  void tablesOfOtherPeopleAreRead() throws IOException {
    int found = 0;
    for (Path file : ThirdPartyFiles.files("texts")) {
      if (file.getFileName().toString().contains("_nvidia_smi_")) {
        SmiText smi = parsed(Files.readString(file));
        assertThat(smi.gpus()).as(file.toString()).isNotEmpty();
        assertThat(smi.gpus()).allMatch(gpu -> gpu.used().isPresent() && !gpu.name().isEmpty());
        found++;
      }
    }
    assertThat(found).isGreaterThan(3);
  }

  @Test
  void otherTextsAreNone() {
    assertThat(SmiText.parse("12MiB / 34MiB")).isEmpty();
    assertThat(SmiText.parse("")).isEmpty();
    assertThat(SmiText.parse("|".repeat(100_000))).isEmpty();
    assertThat(SmiText.parse("a, memory.total\n1\n,,,\nx, y")).isEmpty();
  }
}
