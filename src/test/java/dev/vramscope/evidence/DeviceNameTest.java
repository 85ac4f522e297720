package dev.vramscope.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceNameTest {
  @ParameterizedTest
  @CsvSource({
    "A100-SXM4-40GB, 40",
    "NVIDIA A100 80GB PCIe, 80",
    "NVIDIA H100 80GB HBM3, 80",
    "NVIDIA H100 PCIe, 80",
    "NVIDIA H100 NVL, 94",
    "NVIDIA H200, 141",
    "Tesla V100-SXM2-32GB, 32",
    "Tesla T4, 16",
    "NVIDIA A10G, 24",
    "NVIDIA L4, 24",
    "NVIDIA L40S, 48",
    "RTX 4090, 24",
    "NVIDIA GeForce RTX 4070 Ti SUPER, 16",
    "nvidia geforce rtx 3080 ti, 12",
    "NVIDIA RTX A6000, 48",
    "NVIDIA A100-SXM4-80GB MIG 3g.40gb, 40",
    "NVIDIA GeForce GTX 1060 6GB, 6"
  })
  void nameHasANominalSize(String name, long gigabytes) {
    assertThat(Evidence.parse(" " + name + "\n")).hasValue(new DeviceName(name, gigabytes << 30));
  }

  /** Sold with several sizes, or no devices. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Tesla V100",
        "NVIDIA GeForce RTX 3080",
        "NVIDIA GeForce RTX 4090 Laptop GPU",
        "my 80GB disk",
        "L400",
        "hello"
      })
  void otherNamesHaveNone(String name) {
    assertThat(Evidence.parse(name)).isEmpty();
  }

  @Test
  void aTextOfSeveralLinesIsNoName() {
    assertThat(DeviceName.parse("NVIDIA H100 80GB HBM3\nNVIDIA H100 80GB HBM3")).isEmpty();
    assertThat(DeviceName.parse("NVIDIA H100 80GB ".repeat(50))).isEmpty();
  }
}
