package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.producer.Conclusion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What RMM writes when its pool cannot grow, in each wording of its releases. */
class RmmPoolTest {
  private static final String ROOM =
      "Not enough room to grow, current/max/try size = 20.000000 GiB, 22.000000 GiB, 6.000000 GiB";

  private static final List<String> WITH_NUMBERS =
      List.of(
          "[error ] [A][Stream 0x1][Upstream 6442450944B][FAILURE maximum pool size exceeded: "
              + ROOM
              + "]",
          "MemoryError: std::bad_alloc: out_of_memory: RMM failure at:/rmm/src/pool.cpp:73: Maximum"
              + " pool size exceeded (failed to allocate 6.000000 GiB): "
              + ROOM);

  private static Conclusion explain(String text) {
    List<Conclusion> conclusions = LogExplanation.of(text).conclusions();
    assertThat(conclusions).hasSize(1);
    return conclusions.getFirst();
  }

  @Test
  void theNumbersOfThePoolDecideWhoRefused() {
    for (String text : WITH_NUMBERS) {
      Conclusion conclusion = explain(text);
      assertThat(conclusion.headline()).isEqualTo("RMM’s pool could not grow by a piece of 6 GiB.");
      assertThat(conclusion.message().quantity(FieldName.POOL).orElseThrow().bytes())
          .isEqualTo(20L << 30);
      assertThat(conclusion.message().quantity(FieldName.LIMIT).orElseThrow().bytes())
          .isEqualTo(22L << 30);
      assertThat(conclusion.statements().getFirst().text())
          .contains("grow by 2 GiB at most", "not the device");
      assertThat(conclusion.total().orElseThrow().bytes()).isEqualTo(22L << 30);
    }
  }

  @Test
  void withoutThemBothArePossible() {
    for (String text :
        List.of(
            "[RMM] [error] [A][Stream 0x1][Upstream 800000000B][FAILURE maximum pool size"
                + " exceeded]",
            "[RMM] [error] [A][Stream 0x1][Upstream 800000000B][FAILURE maximum pool size exceeded:"
                + " std::bad_alloc: CUDA error]")) {
      Conclusion conclusion = explain(text);
      assertThat(conclusion.headline()).contains("could not grow by a piece of 762.94 MiB");
      assertThat(conclusion.statements().getFirst().text()).contains("or the driver gave no piece");
    }
  }
}
