package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Access with a token, and the listen address without one. */
class TokenIT {
  private static final String TOKEN = "a-long-random-text";

  @SuppressWarnings("NullAway.Init")
  private static LocalServer server;

  @BeforeAll
  static void start() {
    server = LocalServer.start("--vramscope.token=" + TOKEN);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void apiRequiresTheBearerToken() {
    HttpResponse<byte[]> without = server.get("/api/v1/snapshots");
    assertThat(without.statusCode()).isEqualTo(401);
    assertThat(without.headers().firstValue("WWW-Authenticate"))
        .hasValue("Bearer realm=\"vramscope\"");
    assertThat(server.get("/api/v1/snapshots", "Authorization", "Bearer wrong").statusCode())
        .isEqualTo(401);
    assertThat(server.get("/api/v1/snapshots", "Authorization", "Bearer " + TOKEN).statusCode())
        .isEqualTo(200);
    assertThat(server.post("/api/v1/snapshots", new byte[] {1}).statusCode()).isEqualTo(401);
  }

  @Test
  void browserLogsInAndGetsAnHttpOnlyCookie() {
    HttpResponse<byte[]> redirect = server.get("/snapshots?q=x", "Accept", "text/html");
    assertThat(redirect.statusCode()).isEqualTo(302);
    assertThat(redirect.headers().firstValue("Location").orElse(""))
        .endsWith("/login?next=%2Fsnapshots%3Fq%3Dx");
    assertThat(server.text("/login")).contains("type=\"password\"");

    assertThat(login("wrong").statusCode()).isEqualTo(401);
    HttpResponse<byte[]> loggedIn = login(TOKEN);
    assertThat(loggedIn.statusCode()).isEqualTo(302);
    String cookie = loggedIn.headers().firstValue("Set-Cookie").orElse("");
    assertThat(cookie).contains("HttpOnly", "SameSite=Strict").doesNotContain(TOKEN);
    String pair = cookie.substring(0, cookie.indexOf(';'));
    assertThat(server.get("/", "Cookie", pair).statusCode()).isEqualTo(200);
    assertThat(server.get("/", "Cookie", pair + "0").statusCode()).isEqualTo(401);
  }

  @Test
  void healthNeedsNoToken() {
    assertThat(server.get("/actuator/health").statusCode()).isEqualTo(200);
  }

  @Test
  void refusesToStartOnAllAddressesWithoutAToken() throws Exception {
    assertThat(ChildServer.outputOf("--server.address=0.0.0.0"))
        .contains("has no token", "VRAMSCOPE_TOKEN", "--server.address=127.0.0.1")
        .doesNotContain("Started VramscopeApplication");
  }

  @Test
  void refusesToStartWithAnUnknownOption() throws Exception {
    assertThat(ChildServer.outputOf("--vramscope.data-dri=/tmp"))
        .contains("no option --vramscope.data-dri", "Did you mean --vramscope.data-dir?")
        .doesNotContain("Starting VramscopeApplication");
  }

  @Test
  void printsHelpInsteadOfStarting() throws Exception {
    assertThat(ChildServer.outputOf("--help"))
        .contains("Usage: java -jar vramscope.jar")
        .doesNotContain("Starting VramscopeApplication");
  }

  private static HttpResponse<byte[]> login(String token) {
    return server.post(
        "/login",
        ("token=" + token + "&next=/snapshots").getBytes(StandardCharsets.UTF_8),
        "Content-Type",
        "application/x-www-form-urlencoded");
  }
}
