package dev.vramscope.live.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.AllocatorEvent;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Compares the codes in frames with the fixture that the frontend's tests read as well. */
class FrameCodesTest {
  @Test
  void eventCodesAreThoseOfTheFrontend() {
    Map<String, Integer> codes = new LinkedHashMap<>();
    for (AllocatorEvent event : AllocatorEvent.values()) {
      codes.put(event.torchName(), FrameWriter.code(event));
    }
    var fixture =
        JsonMapper.shared()
            .readTree(Path.of("frontend", "test", "fixtures", "wire-enums.json").toFile());
    assertThat(fixture.path("allocatorEvents")).isEqualTo(JsonMapper.shared().valueToTree(codes));
  }
}
