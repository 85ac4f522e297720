package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A page that does not exist links to what does, and does not name requests of the REST API. */
class MissingPagesIT extends OnServer {
  @ParameterizedTest
  @CsvSource({
    "/live/abc, /live",
    "/live/99, /live",
    "/live/99999999999999999999, /live",
    "/live/99/latency, /live",
    "/live/abc/latency, /live",
    "/live/99/runs/1, /live",
    "/snapshots/0123456789abcdef, /snapshots",
    "/snapshots/0123456789abcdef/oom, /snapshots",
    "/snapshots/abc/timeline, /snapshots",
    "/snapshots/abc/nothing, /snapshots",
    "/learn/nothing, /learn",
    "/learn/reserved/nothing, /learn",
    "/nothing, /",
  })
  void pageThatDoesNotExistLinksToThoseThatDo(String path, String list) {
    HttpResponse<byte[]> answer = server.get(path, "Accept", "text/html");
    String page = PageText.of(answer);
    assertThat(answer.statusCode()).as(page).isEqualTo(404);
    String problem = page.substring(page.indexOf("class=\"problem\""), page.indexOf("</section>"));
    assertThat(problem)
        .contains("<a class=\"button\" href=\"" + list + "\"", path)
        .doesNotContain(
            "static resource", "/api/", "GET /api", "POST ", "9223372036854775807", "java");
    assertThat(server.get(list, "Accept", "text/html").statusCode()).isEqualTo(200);
  }

  @Test
  void requestThatDoesNotExistIsNamedAndNoResourceIs() {
    HttpResponse<byte[]> answer = server.get("/api/v1/zzz");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(PageText.of(answer))
        .contains("There is no request GET /api/v1/zzz", "/api/docs")
        .doesNotContain("static resource");
  }

  @Test
  void valueThatIsNotANumberHasNoRange() {
    String text = new String(server.get("/api/v1/allocators/abc").body(), StandardCharsets.UTF_8);
    assertThat(text).contains("is not a whole number: abc").doesNotContain("9223372036854775808");
    String large =
        new String(
            server.get("/api/v1/allocators/" + "9".repeat(20)).body(), StandardCharsets.UTF_8);
    assertThat(large).contains("is out of range: 999", "9223372036854775807");
  }

  @Test
  void clientOfTheApiGetsRequestsAsTheNextStep() {
    HttpResponse<byte[]> answer = server.get("/api/v1/allocators/99");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(PageText.of(answer)).contains("GET /api/v1/allocators lists the hosted allocators");
    HttpResponse<byte[]> browser = server.get("/api/v1/allocators/99", "Accept", "text/html");
    assertThat(PageText.of(browser)).contains("GET /api/v1/allocators lists the hosted allocators");
  }
}
