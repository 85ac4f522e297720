package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Profiles of one process over time, on their page and by REST. */
class SeriesIT extends InBrowser {
  private static String upload(Path file, String tags) throws IOException {
    HttpResponse<byte[]> response =
        server.post(
            "/api/v1/snapshots?name=" + file.getFileName() + tags, Files.readAllBytes(file));
    assertThat(response.statusCode()).isIn(200, 201);
    return Json.of(response).path("id").asString();
  }

  private static List<Path> profiles() {
    return TestData.files("xla/jax_pprof_train_series").stream()
        .filter(file -> file.toString().endsWith(".prof"))
        .skip(1) // The first one has no array.
        .toList();
  }

  @Test
  void aReaderFindsWhatGrowsWhatIsCompiledAndWhichDeviceDiffers() throws IOException {
    List<String> ids = new ArrayList<>();
    List<Path> profiles = profiles();
    // Uploaded in another order than that of the steps.
    for (int step = profiles.size() - 1; step >= 0; step--) {
      ids.add(upload(profiles.get(step), "&job=series&rank=0&step=" + 100 * step));
    }
    JsonNode series = Json.of(server.get("/api/v1/series?job=series"));
    assertThat(series.path("bySteps").asBoolean()).isTrue();
    assertThat(series.at("/recordings/0/name").asString()).isEqualTo("01_after_init.prof");
    assertThat(series.at("/places/0/place").asString()).isEqualTo("rollout train.py:58");
    assertThat(series.at("/places/0/grownBytes").asLong()).isEqualTo(7_864_320);
    assertThat(series.path("devices").size()).isEqualTo(8);

    go("/series?job=series");
    assertThat(page.locator("main").innerText())
        .contains(
            "rollout train.py:58 grew by 7.5 MiB",
            "(10 → 40 allocations)",
            "between step 200 and step 300",
            "128 programs were compiled between step 300 and step 400",
            "jax.clear_caches(); no array was freed by it",
            "mk train.py:68 (4 MiB in 8 allocations, since step 500)",
            "cpu:5");
    assertThat(page.locator(".compare-plot path.area-1").count()).isEqualTo(1);
    // A recording is opened from the chart.
    page.locator(".compare-plot a").nth(2).focus();
    page.keyboard().press("Enter");
    page.waitForURL("**/snapshots/" + ids.get(profiles.size() - 3));

    go("/snapshots?job=series");
    page.locator("input[name=id]").nth(0).check();
    assertThat(page.locator("button[formaction='/series']").isDisabled()).isTrue();
    page.locator("input[name=id]").nth(1).check();
    page.locator("button[formaction='/series']").click();
    page.waitForURL("**/series?id=**");
    assertThat(page.locator("h1").innerText()).isEqualTo("Series");
    assertThat(consoleErrors).isEmpty();
  }

  @Test
  void fewerThanTwoAreNoSeries() throws IOException {
    String id = upload(profiles().getFirst(), "");
    for (String query : List.of("", "?job=nobody", "?id=" + id, "?id=" + id + "&id=" + id)) {
      HttpResponse<byte[]> response = server.get("/api/v1/series" + query);
      assertThat(response.statusCode()).as(query).isEqualTo(400);
      assertThat(Json.of(response).path("next").asString()).contains("/series?job=JOB");
    }
    assertThat(server.get("/api/v1/series?id=0123456789abcdef&id=" + id).statusCode())
        .isEqualTo(404);
  }
}
