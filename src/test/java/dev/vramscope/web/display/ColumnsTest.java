package dev.vramscope.web.display;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.web.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ColumnsTest {
  @Test
  void columnsAreAlignedToEightBytes() {
    byte[] bytes =
        new Columns()
            .member("device", 3)
            .member("name", "ä")
            .member("missing", null)
            .u8("small", 3, i -> 250 + i)
            .f64("half", 2, i -> i == 0 ? 0.5 : Double.NaN)
            .i32("whole", 5, i -> -i)
            .u64("address", 1, _ -> -512L)
            .bytes(JsonMapper.builder().build());
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(new String(bytes, 0, 4, StandardCharsets.US_ASCII)).isEqualTo("VSC1");
    int headerBytes = buffer.getInt(4);
    assertThat(headerBytes % 8).isZero();
    JsonNode header = Json.of(new String(bytes, 8, headerBytes, StandardCharsets.UTF_8));
    assertThat(header.path("device").asInt()).isEqualTo(3);
    assertThat(header.path("missing").isNull()).isTrue();
    int[] offsets = new int[4];
    for (int i = 0; i < 4; i++) {
      offsets[i] = 8 + headerBytes + header.path("columns").get(i).path("offset").asInt();
      assertThat(offsets[i] % 8).isZero();
    }
    assertThat(buffer.get(offsets[0] + 2)).isEqualTo((byte) 252);
    assertThat(buffer.getDouble(offsets[1])).isEqualTo(0.5);
    assertThat(buffer.getDouble(offsets[1] + 8)).isNaN();
    assertThat(buffer.getInt(offsets[2] + 16)).isEqualTo(-4);
    assertThat(buffer.getLong(offsets[3])).isEqualTo(-512L);
    assertThat(bytes).hasSize(offsets[3] + 8);
  }

  @Test
  void acceptsEmptyColumns() {
    byte[] bytes = new Columns().i32("none", 0, i -> i).bytes(JsonMapper.builder().build());
    assertThat(bytes.length % 8).isZero();
  }
}
