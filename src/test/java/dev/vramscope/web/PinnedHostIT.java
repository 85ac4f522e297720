package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.web.snapshot.Tab;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Pages and REST of the pinned host memory in a file of PyTorch 2.14. */
class PinnedHostIT extends OnSnapshotShapes {
  private static String page(String path) {
    return "/snapshots/" + shapes.get("pinned_host") + path;
  }

  private static JsonNode json(String path) {
    return Json.of(server.get("/api/v1" + page(path)));
  }

  @ParameterizedTest
  @EnumSource(Tab.class)
  void pagesOfAllocationsShowIt(Tab tab) {
    var answer = server.get(page(tab.path() + "?device=-1"), "Accept", "text/html");
    String html = PageText.of(answer);
    if (tab == Tab.OVERVIEW) {
      assertThat(html).contains("Device 0", "no part of the numbers above", "timeline?device=-1");
    } else if (tab.isOfHost()) {
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(html)
          .contains("pinned host memory: 4.01 MiB reserved</option>", "device=-1")
          .doesNotContain(">Replay<", ">What if<");
    } else {
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(html).contains("only of the memory of a GPU");
    }
  }

  @Test
  void numbersOfTheGpuDoNotIncludeIt() {
    assertThat(json("/ledger").toString()).doesNotContain("4202496");
    assertThat(server.text(page(""))).contains("2 MiB");
    assertThat(json("/sites").path("liveBytes").asLong())
        .as("unused in Python, the tensor on the GPU is live")
        .isEqualTo(4L << 20);
    assertThat(json("/sites?device=-1").path("liveBytes").asLong()).isEqualTo((4L << 20) + 8192);
  }

  @Test
  void eventsAndExportsContainIt() {
    assertThat(json("/events?device=-1").path("rows").size()).isEqualTo(8);
    String csv = server.text("/api/v1" + page("/export?format=csv"));
    assertThat(csv.lines().filter(line -> line.startsWith("-1,"))).hasSize(8);
    byte[] pickle = server.get("/api/v1" + page("/export?device=-1")).body();
    assertThat(new String(pickle, StandardCharsets.ISO_8859_1))
        .contains("host_traces", "host_segments");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ledger", "/budget", "/summary", "/oom", "/steps"})
  void restOfTheGpuRejectsIt(String path) {
    var answer = server.get("/api/v1" + page(path + "?device=-1"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(Json.of(answer).path("next").asString()).contains("Choose a GPU");
  }
}
