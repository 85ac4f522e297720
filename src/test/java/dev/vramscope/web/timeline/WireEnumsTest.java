package dev.vramscope.web.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.stacks.FrameKind;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.TraceAction;
import dev.vramscope.web.Json;
import dev.vramscope.web.display.Columns;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares enums on the wire with the fixture that the frontend's tests read as well. */
class WireEnumsTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final JsonNode FIXTURE =
      JSON.readTree(Path.of("frontend", "test", "fixtures", "wire-enums.json").toFile());

  @Test
  void blockStatesAndPoolKindsHaveTheCodesOfTheFrontend() {
    assertThat(FIXTURE.path("blockStates")).isEqualTo(codes(BlockState.values(), ColumnsApi::code));
    assertThat(FIXTURE.path("poolKinds")).isEqualTo(codes(PoolKind.values(), ColumnsApi::code));
  }

  @Test
  void traceActionsHaveTheCodesOfTheFrontend() {
    Map<String, Integer> codes = new LinkedHashMap<>();
    for (TraceAction action : TraceAction.values()) {
      if (action != TraceAction.OTHER) { // Allocators do not report it, and it has no name.
        codes.put(action.torchName(), (int) action.code());
      }
    }
    assertThat(FIXTURE.path("traceActions")).isEqualTo(JSON.valueToTree(codes));
  }

  @Test
  void frameKindsHaveTheNamesOfTheFrontend() {
    List<String> names = Arrays.stream(FrameKind.values()).map(WireEnumsTest::name).toList();
    assertThat(FIXTURE.path("frameKinds")).isEqualTo(JSON.valueToTree(names));
  }

  @Test
  void columnTypesHaveTheWidthsOfTheFrontend() {
    // 8 entries a column, so that no column is padded and offsets differ by 8 widths.
    byte[] answer =
        new Columns()
            .u8("u8", 8, _ -> 0)
            .i32("i32", 8, _ -> 0)
            .f64("f64", 8, _ -> 0)
            .u64("u64", 8, _ -> 0)
            .u8("end", 0, _ -> 0)
            .bytes(JSON);
    JsonNode columns = Json.of(header(answer)).path("columns");
    Map<String, Integer> widths = new LinkedHashMap<>();
    for (int i = 0; i + 1 < columns.size(); i++) {
      int bytes = columns.get(i + 1).path("offset").asInt() - columns.get(i).path("offset").asInt();
      widths.put(columns.get(i).path("type").asString(), bytes / 8);
    }
    assertThat(FIXTURE.path("columnBytes")).isEqualTo(JSON.valueToTree(widths));
  }

  private static String header(byte[] answer) {
    int bytes = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
    return new String(answer, 8, bytes, StandardCharsets.UTF_8);
  }

  private static <E extends Enum<E>> JsonNode codes(E[] values, ToIntFunction<E> code) {
    Map<String, Integer> codes = new LinkedHashMap<>();
    for (E value : values) {
      codes.put(name(value), code.applyAsInt(value));
    }
    return JSON.valueToTree(codes);
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
