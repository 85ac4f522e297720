package dev.vramscope.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares byte texts with the fixture that the frontend's tests read as well. */
class ByteTextTest {
  @Test
  void bytesHaveTheTextsOfTheFrontend() {
    JsonNode fixture =
        JsonMapper.shared()
            .readTree(Path.of("frontend", "test", "fixtures", "byte-texts.json").toFile());
    assertThat(fixture.size()).isGreaterThan(10);
    fixture
        .propertyStream()
        .forEach(
            entry ->
                assertThat(ByteText.of(Long.parseLong(entry.getKey())))
                    .as(entry.getKey())
                    .isEqualTo(entry.getValue().asString()));
  }
}
