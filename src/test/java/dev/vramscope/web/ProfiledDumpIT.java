package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A dump of JAX and the profile that its process had saved before, on the page and by REST. */
class ProfiledDumpIT extends InBrowser {
  private static String upload(String file, String query) throws IOException {
    HttpResponse<byte[]> response =
        server.post(
            "/api/v1/snapshots?name=" + file.replace('/', '-') + query,
            Files.readAllBytes(TestData.file("xla/" + file)));
    assertThat(response.statusCode()).isIn(200, 201);
    return Json.of(response).path("id").asString();
  }

  @Test
  void theProfileOfTheProcessNamesWhatTheDumpHolds() throws IOException {
    String dump = upload("jax_gpu_oom/memory.dump", "&job=pair&rank=0");
    assertThat(server.get("/api/v1/snapshots/" + dump + "/profile").statusCode()).isEqualTo(404);
    go("/snapshots/" + dump + "/oom");
    assertThat(page.locator("#profile").innerText()).contains("None is stored");

    // Of another process, or of another rank.
    String other = upload("jax_pprof_train_series/04_leak_40.prof", "&job=pair&rank=0");
    String profile = upload("jax_gpu_oom/before.pb.gz", "&job=pair&rank=1");
    assertThat(server.get("/api/v1/snapshots/" + dump + "/profile").statusCode()).isEqualTo(404);
    go("/snapshots/" + dump + "/oom?profile=" + other);
    assertThat(page.locator("#profile").innerText())
        .contains("Not of this moment", "arrays of the profile, the largest of");
    JsonNode chosen =
        Json.of(server.get("/api/v1/snapshots/" + dump + "/profile?profile=" + profile));
    assertThat(chosen.path("namedBytes").asLong()).isEqualTo(83_886_080);
    assertThat(chosen.path("basis").toString()).contains("their tags name different processes");

    server.patch(
        "/api/v1/snapshots/" + profile,
        "{\"tags\":{\"job\":\"pair\",\"rank\":\"0\"}}".getBytes(StandardCharsets.UTF_8),
        "Content-Type",
        "application/merge-patch+json");
    JsonNode found = Json.of(server.get("/api/v1/snapshots/" + dump + "/profile"));
    assertThat(found.path("profile").asString()).isEqualTo(profile);
    assertThat(found.path("certainty").asString()).isEqualTo("LIKELY");
    assertThat(found.path("inUseBytes").asLong()).isEqualTo(7_600_079_104L);
    assertThat(found.path("sites").valueStream().mapToLong(each -> each.path("bytes").asLong()))
        .containsExactly(83_886_080L);
    go("/snapshots/" + dump + "/oom");
    assertThat(page.locator("#profile").innerText())
        .contains(
            "names 80 MiB of the 7.08 GiB in use",
            "It is likely of this moment",
            "jax_check.py:",
            "8 chunks in use with 7 GiB hold something else",
            "a profile has no addresses");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void whatIsNoProfileIsRefused() throws IOException {
    String dump = upload("tf_bfc_full/memory.dump", "");
    assertThat(server.get("/api/v1/snapshots/" + dump + "/profile?profile=" + dump).statusCode())
        .isEqualTo(400);
    assertThat(server.get("/snapshots/" + dump + "/oom?profile=0123456789abcdef").statusCode())
        .isEqualTo(404);
    String profile = upload("jax_pprof_train_series/01_after_init.prof", "");
    assertThat(server.get("/api/v1/snapshots/" + profile + "/profile").statusCode()).isEqualTo(400);
  }
}
