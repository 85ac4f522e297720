package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What private pools reserve, on the timeline: in the REST API and in Chromium. */
class PrivatePoolIT extends InBrowser {
  private static final String SNAPSHOTS = "/api/v1/snapshots";

  @Test
  void poolsHaveReservedAndActiveBytes() {
    String path = SNAPSHOTS + "/" + stored(true) + "/timeline";
    byte[] body = server.get(path).body();
    JsonNode header = ColumnsFile.header(body);
    assertThat(header.path("privatePools").size()).isEqualTo(1);
    assertThat(header.at("/privatePools/0").asString()).isEqualTo("private pool (1, 0)");
    double mib = 1 << 20;
    assertThat(ColumnsFile.column(body, "poolReserved")).containsExactly(0, 20 * mib, 20 * mib);
    assertThat(ColumnsFile.column(body, "poolActive")).containsExactly(0, 0, 2 * mib);
    byte[] without = server.get(SNAPSHOTS + "/" + stored(false) + "/timeline").body();
    assertThat(ColumnsFile.header(without).has("privatePools")).isFalse();
  }

  @Test
  void theLegendNamesThePools() {
    page.navigate(server.at("/snapshots/" + stored(true) + "/timeline").toString());
    page.locator("[data-active-timeline][data-state=ready]").waitFor();
    Locator legend = page.locator(".colour-legend");
    legend.waitFor();
    assertThat(legend.innerText()).contains("private pool (1, 0): up to 20 MiB reserved");
    page.locator(".view-bar select").selectOption("size");
    page.waitForCondition(() -> legend.innerText().startsWith("1 MiB to"));
    assertThat(legend.innerText()).contains("private pool (1, 0)");
    assertThat(consoleErrors).isEmpty();
  }

  /** One segment in a private or in the default pool, with an allocation of 2 MiB. */
  private static String stored(boolean isPrivate) {
    String pool = isPrivate ? "[1, 0]" : "[0, 0]";
    String file =
        """
        {"segments": [{"device": 0, "address": 33554432, "total_size": 20971520, "stream": 0,
          "segment_type": "large", "segment_pool_id": %s, "is_expandable": false, "frames": [],
          "allocated_size": 2097152, "active_size": 2097152, "blocks": [
            {"address": 33554432, "size": 2097152, "requested_size": 2097152,
              "state": "active_allocated", "frames": []},
            {"address": 35651584, "size": 18874368, "requested_size": 0, "state": "inactive",
              "frames": []}]}],
         "device_traces": [[
            {"action": "snapshot", "addr": 0, "size": 0, "stream": 0, "frames": []},
            {"action": "segment_alloc", "addr": 33554432, "size": 20971520, "stream": 0,
              "frames": []},
            {"action": "alloc", "addr": 33554432, "size": 2097152, "stream": 0, "frames": []}]]}
        """
            .formatted(pool);
    return Json.of(
            server.post(
                SNAPSHOTS + "?name=private-" + isPrivate, file.getBytes(StandardCharsets.UTF_8)))
        .path("id")
        .asString();
  }
}
