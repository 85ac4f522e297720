package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceChoiceTest {
  @Test
  void parsesGpuByOrdinal() {
    assertEquals(new DeviceChoice.Cuda(0), DeviceChoice.parse("cuda:0"));
    assertEquals(new DeviceChoice.Cuda(12), DeviceChoice.parse(" CUDA:12 "));
  }

  @ParameterizedTest
  @CsvSource({
    "sim:16GiB, 17179869184, sim:16GiB",
    "sim:1.5GiB, 1610612736, sim:1536MiB",
    "sim:16g, 17179869184, sim:16GiB",
    "SIM:512 MB, 536870912, sim:512MiB",
    "sim:2048k, 2097152, sim:2MiB",
    "sim:1000, 1000, sim:1000",
    "sim:1, 1, sim:1"
  })
  void parsesSimulatedDeviceBySize(String text, long bytes, String written) {
    DeviceChoice choice = DeviceChoice.parse(text);
    assertEquals(new DeviceChoice.Sim(bytes), choice);
    assertEquals(written, choice.toString());
    assertEquals(choice, DeviceChoice.parse(choice.toString()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gpu",
        "cuda",
        "cuda:",
        "cuda:-1",
        "cuda:1000",
        "cuda:0x0",
        "sim:",
        "sim:0",
        "sim:-1",
        "sim:9999999999TiB",
        "sim:99999999999999999999",
        "sim:1PiB",
        "cuda:0 ;"
      })
  void rejectsTextThatIsNotADevice(String text) {
    HostingRefusedException refused =
        assertThrows(HostingRefusedException.class, () -> DeviceChoice.parse(text));
    assertEquals(HostingRefusedException.Kind.REQUEST, refused.kind());
    assertEquals("device", refused.where());
    assertThat(refused).hasMessageContaining("'" + text + "'");
    assertThat(refused.next()).contains("cuda:0", "sim:16GiB");
  }
}
