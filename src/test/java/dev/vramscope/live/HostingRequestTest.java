package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.recorder.HistorySettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostingRequestTest {
  private static HostingRequest named(String name) {
    return new HostingRequest(
        name, new DeviceChoice.Sim(1L << 30), AllocatorKind.CACHING, "", HistorySettings.all());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 10, 0x7F, 0x9B, 0x061C, 0x200F, 0x2028, 0x202E, 0x2066})
  void rejectsNameWithForbiddenCharacter(int character) {
    String name = "run" + Character.toString(character) + "1";
    HostingRefusedException refused =
        assertThrows(HostingRefusedException.class, () -> named(name));
    assertEquals("name", refused.where());
    assertThat(refused).hasMessageContaining("U+%04X".formatted(character));
  }

  @ParameterizedTest
  @ValueSource(strings = {"run 1", "<b>", "\u05D0\u05D1", "\uD83D\uDC69\u200D\uD83D\uDCBB"})
  void acceptsOtherNames(String name) {
    assertEquals(name, named(name).name());
  }
}
