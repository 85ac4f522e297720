package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import dev.vramscope.TestData;
import dev.vramscope.format.xla.XlaFiles;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** JAX's profiles and the dumps of XLA's allocator, on the pages and by REST. */
class XlaFilesIT extends InBrowser {
  private static XlaFiles.Profile profile() {
    return new XlaFiles.Profile()
        .add("buffer", "cuda:0", 3, 3 << 20, "apply /site-packages/jax/api.py:12", "train t.py:7")
        .add("buffer", "cuda:1", 1, 1 << 20, "apply /site-packages/jax/api.py:12", "init t.py:3")
        .add("executable", "", 2, 4096, "train t.py:7");
  }

  private static String upload(byte[] file, String name) {
    HttpResponse<byte[]> response = server.post("/api/v1/snapshots?name=" + name, file);
    assertThat(response.statusCode()).isIn(200, 201);
    return Json.of(response).path("id").asString();
  }

  private JsonNode get(String path) {
    HttpResponse<byte[]> response = server.get(path);
    assertThat(response.statusCode()).as(path).isEqualTo(200);
    return Json.of(response);
  }

  @Test
  void aProfileHasSitesAndAFlameGraphForEachDevice() {
    String id = upload(profile().bytes(), "memory.prof");
    go("/snapshots/" + id);
    assertThat(page.locator("nav.tabs > a").allInnerTexts())
        .containsExactly("Overview", "Sites", "Flame graph");
    assertThat(page.locator("table").first().innerText())
        .contains("cuda:0", "3 MiB", "cuda:1", "1 MiB", "All devices", "4 MiB");
    assertThat(page.locator(".peak-sites").innerText()).contains("train", "t.py:7", "100 %");
    assertThat(page.locator("main").innerText())
        .contains("2 compiled programs", "Reserved memory, free memory and the size of the device");
    JsonNode sites = get("/api/v1/snapshots/" + id + "/sites?device=1");
    assertThat(sites.path("rows").path(0).path("frame").path("name").asString()).isEqualTo("init");
    page.locator("nav.tabs a:has-text('Flame graph')").click();
    page.waitForSelector("[data-flame-graph] .flame-bars, [data-flame-graph] [role=img], canvas");
    assertThat(consoleErrors).isEmpty();
  }

  /** A dump has no timeline, but sentences and tables that name its one event. */
  @Test
  void everyLinkOfADumpLeadsToAPage() throws IOException {
    String id = upload(Files.readAllBytes(TestData.file("xla/tf_bfc_growing/dump.log")), "tf.log");
    for (String tab : List.of("", "/oom", "/budget", "/events", "/sites", "/segments")) {
      go("/snapshots/" + id + tab);
      Object links =
          page.evaluate(
              "() => [...document.querySelectorAll('main a')].map((a) => a.getAttribute('href'))");
      for (Object link : (List<?>) links) {
        HttpResponse<byte[]> answer = server.get(String.valueOf(link));
        int status =
            answer.statusCode() / 100 == 3
                ? server.get(answer.headers().firstValue("Location").orElseThrow()).statusCode()
                : answer.statusCode();
        assertThat(status).as("%s links %s", tab, link).isEqualTo(200);
      }
    }
    go("/snapshots/" + id + "/timeline?event=0");
    assertThat(page.url()).endsWith("/events?event=0");
    assertThat(server.get("/snapshots/" + id + "/timeline?event=%7Ba%7D&sel=x").statusCode())
        .isEqualTo(302);
  }

  @Test
  void whatAProfileCannotSayIsRefused() {
    String id = upload(profile().bytes(), "memory.prof");
    for (String path :
        new String[] {
          "segments",
          "ledger",
          "oom",
          "budget",
          "summary.txt",
          "timeline.columns",
          "events",
          "export?format=torch",
          "steps"
        }) {
      HttpResponse<byte[]> response = server.get("/api/v1/snapshots/" + id + "/" + path);
      assertThat(response.statusCode()).as(path).isIn(400, 404);
    }
    HttpResponse<byte[]> refused = server.get("/api/v1/snapshots/" + id + "/ledger");
    assertThat(Json.of(refused).path("detail").asString()).contains("no addresses");
    go("/snapshots/" + id + "/timeline");
    assertThat(page.locator("[role=alert]").innerText()).contains("A profile has live buffers");
  }

  @Test
  void twoProfilesAreCompared() {
    String first = upload(profile().bytes(), "a.prof");
    String second =
        upload(
            profile()
                .add(
                    "buffer",
                    "cuda:0",
                    1,
                    8 << 20,
                    "apply /site-packages/jax/api.py:12",
                    "eval t.py:9")
                .bytes(),
            "b.prof");
    go("/compare?a=" + first + "&b=" + second);
    assertThat(page.locator("main").innerText()).contains("eval", "8 MiB");
    assertThat(get("/api/v1/snapshots/" + first + "/diff?other=" + second).toString())
        .contains("eval");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void aDumpInALogHasTheViewsAndAPostMortem() {
    go("/explain");
    page.locator(".log-in textarea").fill("step 1\n".repeat(2000) + XlaFiles.log());
    page.locator(".log-in button").click();
    page.waitForLoadState();
    assertThat(page.locator(".explanation").innerText()).contains("GPU_0_bfc", "3 MiB");
    page.locator("button:has-text('Store and open')").click();
    page.waitForURL("**/snapshots/**");
    page.locator("nav.tabs a:has-text('Out of memory')").click();
    page.waitForLoadState();
    assertThat(page.locator(".verdict .sentence").innerText())
        .contains("A request for 3 MiB failed");
    assertThat(page.locator("main").innerText()).contains("too small by 1 MiB");
    assertThat(page.locator("nav.tabs").innerText()).doesNotContain("What if");
    assertThat(page.locator("#counterfactuals tr:has-text('in one piece')").first().innerText())
        .doesNotContain("unknown");
    page.locator("nav.tabs a:text-is('Regions')").click();
    page.waitForSelector("[data-memory-map][data-state=ready]");
    assertThat(consoleErrors).isEmpty();
  }

  /** A BFC allocator has regions, one pool for all streams, and here no requested sizes. */
  @Test
  void aDumpIsDescribedInTheWordsOfItsAllocator() throws IOException {
    String id =
        upload(Files.readAllBytes(TestData.file("xla/tf_bfc_growing/dump.log")), "growing.log");
    go("/snapshots/" + id);
    assertThat(page.locator("nav.tabs").innerText()).contains("Regions").doesNotContain("Segments");
    assertThat(page.locator(".figures").innerText())
        .contains("in 6 regions")
        .doesNotContain("requested", "Peak");
    assertThat(page.locator(".peak-sites thead").innerText())
        .contains("Allocated")
        .doesNotContain("Requested");
    assertThat(get("/api/v1/snapshots/" + id).path("peakBytes").isNull()).isTrue();
    go("/snapshots/" + id + "/oom");
    assertThat(page.locator(".effect").first().textContent()).isEqualTo("removes the likely cause");
    assertThat(page.locator("main").innerText())
        .contains("below its limit of 256 MiB", "of a region of 126 MiB")
        .doesNotContain("stream 0", "of a segment", "on the stream of the request");
    go("/snapshots/" + id + "/segments");
    page.waitForSelector("[data-memory-map][data-state=ready]");
    assertThat(page.locator(".view-status").innerText()).contains("in 6 regions");
    page.locator("summary:has-text('6 regions')").click();
    assertThat(page.locator("table thead").first().innerText())
        .contains("Region")
        .doesNotContain("Stream", "Size class");
    assertThat(consoleErrors).isEmpty();
  }

  /** Content, head and tabs of all pages have one left and one right edge. */
  @Test
  void contentIsAsWideAsTheHead() throws IOException {
    String id =
        upload(Files.readAllBytes(TestData.file("xla/tf_bfc_growing/dump.log")), "growing.log");
    for (String tab : List.of("", "/oom", "/segments")) {
      go("/snapshots/" + id + tab);
      BoundingBox head = page.locator(".snapshot-head").boundingBox();
      for (Locator part : page.locator("main > :visible").all()) {
        BoundingBox box = part.boundingBox();
        assertThat(List.of(box.x, box.x + box.width))
            .as("%s %s", tab, part.getAttribute("class"))
            .isEqualTo(List.of(head.x, head.x + head.width));
      }
    }
  }

  /** The text about a graph without frames is below the bar of all stacks. */
  @Test
  void aGraphWithoutFramesIsReadable() throws IOException {
    String id =
        upload(Files.readAllBytes(TestData.file("xla/tf_bfc_growing/dump.log")), "growing.log");
    go("/snapshots/" + id + "/flame");
    page.waitForSelector("[data-flame-graph][data-state=ready]");
    BoundingBox bar = page.locator(".flame-bar").first().boundingBox();
    BoundingBox hint = page.locator("[data-flame-graph] .view-hint").boundingBox();
    assertThat(hint.y).isGreaterThanOrEqualTo(bar.y + bar.height);
  }

  /** The file of a dump has neither the request that failed nor a row for a table of events. */
  @Test
  void aBinaryDumpCountsItsFailureAndOffersNoEmptyTables() throws IOException {
    String id =
        upload(Files.readAllBytes(TestData.file("xla/tf_bfc_matmul/memory.dump")), "matmul.dump");
    go("/snapshots/" + id);
    assertThat(page.locator("nav.tabs .count").innerText().strip()).isEqualTo("1");
    assertThat(page.locator(".figures").innerText()).contains("192 MiB requested");
    assertThat(page.locator("#export").innerText())
        .contains("Perfetto")
        .doesNotContain("PyTorch", "JSON lines", "CSV", "Parquet", "0 B");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> get("/api/v1/snapshots/" + id).path("answer").isObject());
    go("/snapshots?q=matmul.dump");
    assertThat(page.locator(".snapshots .answer").innerText())
        .contains(
            "the file does not contain the request", "The log of the program has the request");
    assertThat(consoleErrors).isEmpty();
  }

  /** Whichever is uploaded last, the other is found by its chunks; removing the text parts them. */
  @Test
  void aDumpAndItsLogAreJoined() throws IOException {
    byte[] log = Files.readAllBytes(TestData.file("xla/jax_gpu_oom/dump.log"));
    byte[] dump = Files.readAllBytes(TestData.file("xla/jax_gpu_oom/memory.dump"));
    String id = upload(dump, "gpu.dump");
    String oom = "/api/v1/snapshots/" + id + "/oom";
    assertThat(server.get(oom).statusCode()).isEqualTo(404);
    upload(log, "gpu.log");
    await().atMost(Duration.ofSeconds(30)).until(() -> server.get(oom).statusCode() == 200);
    JsonNode report = get(oom);
    assertThat(report.at("/request/requestedBytes").asLong()).isEqualTo(1 << 30);
    assertThat(report.at("/verdict/cause").asString()).isEqualTo("TOO_MUCH_LIVE");
    assertThat(report.path("poolTrials").size()).isEqualTo(5);
    JsonNode text = get("/api/v1/snapshots/" + id + "/evidence").at("/evidence/0");
    assertThat(text.path("says").toString()).contains("same address, size and state: certain");
    go("/snapshots/" + id + "/oom");
    assertThat(page.locator("#pool-trials + p + .scroll").innerText())
        .contains("would not fit", "not decidable");
    assertThat(page.locator(".evidence").innerText()).contains("Log of the same moment");
    HttpResponse<byte[]> removed =
        server.delete("/api/v1/snapshots/" + id + "/evidence/" + text.path("number").asInt());
    assertThat(removed.statusCode()).isEqualTo(204);
    assertThat(server.get(oom).statusCode()).isEqualTo(404);
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void aLogOfRequestsHasNoPagesAboutSegments() {
    String log =
        """
        Thread,Time,Action,Pointer,Size,Stream
        1,10:00:00.000001,allocate,0x10,1048576,0x0
        1,10:05:00.000001,allocate failure,0x0,1073741824,0x0
        """;
    String id = upload(log.getBytes(StandardCharsets.UTF_8), "rmm.csv");
    go("/snapshots/" + id);
    assertThat(page.locator("nav.tabs > a").allInnerTexts())
        .contains("Overview", "Timeline", "Events", "Out of memory 1")
        .doesNotContain("Segments", "Segments over time", "Budget", "Summary");
    assertThat(page.locator("table.ledger").innerText())
        .contains("Held beside what is live", "unknown");
    go("/snapshots/" + id + "/oom");
    assertThat(page.locator("main").innerText())
        .contains("1 MiB was live", "why it failed is unknown")
        .doesNotContain("directly from the driver", "too much live memory");
    for (String path : new String[] {"summary.txt", "budget"}) {
      assertThat(server.get("/api/v1/snapshots/" + id + "/" + path).statusCode())
          .as(path)
          .isEqualTo(400);
    }
    JsonNode ledger = get("/api/v1/snapshots/" + id + "/ledger").path("ledger");
    assertThat(ledger.has("reservedBytes")).isTrue();
    assertThat(ledger.path("reservedBytes").isNull()).isTrue();
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void aProtocolBufferNamesTheOperations() {
    String id = upload(XlaFiles.memoryDump(), "dump");
    go("/snapshots/" + id + "/sites?device=1");
    assertThat(page.locator("table.sites").innerText()).contains("conv/Conv2D", "loss");
    assertThat(get("/api/v1/snapshots/" + id).path("format").asString())
        .isEqualTo("BFC memory dump");
  }

  @Test
  void aMemoryDumpIsWrittenWhenARequestFails() throws IOException {
    String id =
        upload(Files.readAllBytes(TestData.file("xla/tf_bfc_full/memory.dump")), "memory.dump");
    assertThat(get("/api/v1/snapshots/" + id).path("oomCount").asInt()).isEqualTo(1);
    for (String path : new String[] {"", "/oom"}) {
      go("/snapshots/" + id + path);
      assertThat(page.locator("#explanation").innerText())
          .contains("A request failed", "254 MiB was in use", "requested 200 MiB")
          .contains("ran out of memory trying to allocate");
      assertThat(page.locator("main").innerText())
          .doesNotContain("No request failed", "No failed request", "is enough")
          .doesNotContain("No events were recorded");
    }
    page.locator("input[name=bytes]").fill("200 MiB");
    page.locator("button:text-is('Test')").click();
    page.waitForLoadState();
    assertThat(page.locator(".verdict .sentence").innerText()).contains("200 MiB");
    HttpResponse<byte[]> unknown = server.get("/api/v1/snapshots/" + id + "/oom");
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(Json.of(unknown).path("detail").asString())
        .contains("The request that failed is not in the file");
    HttpResponse<byte[]> report = server.get("/api/v1/snapshots/" + id + "/report?format=text");
    assertThat(new String(report.body(), StandardCharsets.UTF_8))
        .contains("A request failed")
        .doesNotContain("No request failed", "is enough");
    go("/");
    assertThat(page.locator("tr:has-text('memory.dump') .tag.oom").first().innerText())
        .isEqualTo("OOM");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void damagedFilesAreNamed() {
    byte[] cpu = new XlaFiles.Profile().types("samples", "count", "cpu", "nanoseconds").bytes();
    HttpResponse<byte[]> response = server.post("/api/v1/snapshots", cpu);
    assertThat(response.statusCode()).isEqualTo(422);
    assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("cpu/nanoseconds");
  }

  @Test
  void pagesFitTheWindow() {
    String id = upload(profile().bytes(), "memory.prof");
    for (WindowLook look : WindowLook.tested()) {
      openWindow(look.width(), 900, look.scheme());
      go("/snapshots/" + id);
      Path file = SCREENSHOTS.resolve("profile" + look.suffix());
      page.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
      assertThat(page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))
          .as(file.toString())
          .isEqualTo(true);
    }
    assertThat(consoleErrors).isEmpty();
  }
}
