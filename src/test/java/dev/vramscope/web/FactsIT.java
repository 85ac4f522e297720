package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What the pages of a snapshot show about the device and the allocator. */
class FactsIT extends OnServer {
  @Test
  void overviewAndPostMortemShowTheSameFreeMemory() {
    String id = server.upload(SampleFiles.FRAGMENTED);
    String overview = text("/snapshots/" + id);
    assertThat(overview)
        .contains("the GPU had 172 MiB left")
        .contains("Free when the request at event 10,268 failed")
        .contains("at least 22.44 GiB");
    assertThat(text("/snapshots/" + id + "/oom")).contains("Free on the device 172 MiB");
    assertThat(text("/snapshots/" + id + "/oom?bytes=200MiB"))
        .contains("would fail", "The device has 172 MiB free")
        .doesNotContain("unknown: not recorded");
  }

  @Test
  void snapshotOfADirectAllocatorHasItsOwnWordsAndItsDevice() {
    String allocator =
        Json.of(post("/api/v1/allocators", "{\"device\":\"sim:64MiB\",\"kind\":\"direct\"}"))
            .path("id")
            .asString();
    post("/api/v1/allocators/" + allocator + "/blocks", "{\"bytes\":50000000}");
    post("/api/v1/allocators/" + allocator + "/blocks", "{\"bytes\":50000000}");
    String id =
        Json.of(server.get("/api/v1/snapshots?q=direct"))
            .path("snapshots")
            .get(0)
            .path("id")
            .asString();
    String overview = text("/snapshots/" + id);
    assertThat(overview)
        .contains("recorded on a simulated device of 64 MiB")
        .contains("Device total 64 MiB")
        .contains("the driver, without a cache")
        .doesNotContain("Show the whole device", "PYTORCH_", "PyTorch snapshot", "Fragmentation");
    assertThat(text("/snapshots/" + id + "/oom"))
        .contains("Every block is an allocation of the driver; nothing is cached")
        .doesNotContain("Pool", "Largest usable block", "defaults are assumed");
    assertThat(text("/snapshots/" + id + "/oom?bytes=10MiB"))
        .contains("fits: the device has 16 MiB free (certain)");

    // The recording contains the size: another one is refused, and a text adds nothing.
    assertThat(server.get("/api/v1/snapshots/" + id + "/ledger?total=64MiB").statusCode())
        .isEqualTo(200);
    HttpResponse<byte[]> other = server.get("/api/v1/snapshots/" + id + "/ledger?total=1GiB");
    assertThat(other.statusCode()).isEqualTo(400);
    assertThat(PageText.of(other))
        .contains("The recording contains the size of the device: 64 MiB");
    HttpResponse<byte[]> page = server.get("/snapshots/" + id + "?total=1GiB");
    assertThat(page.statusCode()).isEqualTo(400);
    assertThat(PageText.of(page))
        .contains("Not used. The recording contains the size of the device: 64 MiB");
    HttpResponse<byte[]> text = post("/api/v1/snapshots/" + id + "/evidence", "RTX 4090");
    assertThat(text.statusCode()).isEqualTo(400);
    assertThat(new String(text.body(), StandardCharsets.UTF_8)).contains("is simulated");
  }

  private static HttpResponse<byte[]> post(String path, String json) {
    return server.post(
        path, json.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json");
  }

  /** The text of the main part of a page, in one line. */
  private static String text(String path) {
    String page = server.text(path);
    return page.substring(page.indexOf("<main"))
        .replaceAll("(?s)<svg.*?</svg>|<dl hidden.*?</dl>", "")
        .replaceAll("<[^>]+>", " ")
        .replaceAll("\\s+", " ");
  }
}
