package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.web.security.GuessLimit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void browserLogsInAndGetsASession() {
    HttpResponse<byte[]> redirect = server.get("/snapshots?q=x", "Accept", "text/html");
    assertThat(redirect.statusCode()).isEqualTo(302);
    assertThat(redirect.headers().firstValue("Location"))
        .hasValue("/login?next=%2Fsnapshots%3Fq%3Dx");
    assertThat(redirect.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(server.text("/login")).contains("type=\"password\"").doesNotContain("Sign out");

    assertThat(login("wrong", "/").statusCode()).isEqualTo(401);
    HttpResponse<byte[]> loggedIn = login(TOKEN, "/snapshots?q=x");
    assertThat(loggedIn.statusCode()).isEqualTo(302);
    assertThat(loggedIn.headers().firstValue("Location")).hasValue("/snapshots?q=x");
    assertThat(loggedIn.headers().firstValue("Set-Cookie").orElse(""))
        .contains("HttpOnly", "SameSite=Strict", "Path=/")
        .doesNotContain(TOKEN);
    String cookie = cookie(loggedIn);
    assertThat(server.text("/", "Cookie", cookie)).contains("Sign out");
    assertThat(server.text("/nothing", "Cookie", cookie, "Accept", "text/html"))
        .contains("Sign out");
    assertThat(server.get("/api/v1/snapshots", "Cookie", cookie).statusCode()).isEqualTo(200);
    assertThat(server.get("/", "Cookie", cookie + "0").statusCode()).isEqualTo(401);
  }

  @Test
  void eachLoginHasASessionOfItsOwnAndLogoutEndsOnlyThat() {
    String first = cookie(login(TOKEN, "/"));
    String second = cookie(login(TOKEN, "/"));
    assertThat(first).isNotEqualTo(second);

    assertThat(server.get("/logout", "Cookie", first).statusCode()).isEqualTo(404);
    assertThat(
            server
                .post("/logout", new byte[0], "Cookie", first, "Sec-Fetch-Site", "cross-site")
                .statusCode())
        .isEqualTo(403);
    assertThat(server.get("/", "Cookie", first).statusCode()).isEqualTo(200);

    HttpResponse<byte[]> loggedOut = server.post("/logout", new byte[0], "Cookie", first);
    assertThat(loggedOut.statusCode()).isEqualTo(302);
    assertThat(loggedOut.headers().firstValue("Location")).hasValue("/login");
    assertThat(server.get("/", "Cookie", first).statusCode()).isEqualTo(401);
    assertThat(server.get("/", "Cookie", second).statusCode()).isEqualTo(200);
  }

  @Test
  void logoutEndsTheEventStreamsOfTheSession() throws Exception {
    HttpResponse<byte[]> hosted =
        server.post(
            "/api/v1/allocators",
            "{\"device\":\"sim:1GiB\"}".getBytes(StandardCharsets.UTF_8),
            "Authorization",
            "Bearer " + TOKEN,
            "Content-Type",
            "application/json");
    String cookie = cookie(login(TOKEN, "/"));
    HttpRequest events =
        HttpRequest.newBuilder(
                server.at(hosted.headers().firstValue("Location").orElseThrow() + "/events"))
            .header("Cookie", cookie)
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<InputStream> stream =
          client.send(events, HttpResponse.BodyHandlers.ofInputStream());
      assertThat(stream.statusCode()).isEqualTo(200);
      assertThat(stream.body().read()).isEqualTo('d');
      server.post("/logout", new byte[0], "Cookie", cookie);
      CompletableFuture.runAsync(() -> drain(stream.body())).get(30, TimeUnit.SECONDS);
    }
  }

  private static void drain(InputStream stream) {
    try (stream) {
      stream.transferTo(OutputStream.nullOutputStream());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  @Test
  void loginReplacesTheSessionId() {
    String before = cookie(login(TOKEN, "/"));
    HttpResponse<byte[]> again = login(TOKEN, "/", "Cookie", before);
    assertThat(cookie(again)).isNotEqualTo(before);
    assertThat(server.get("/", "Cookie", before).statusCode()).isEqualTo(401);
    String chosenByAClient = "vramscope-session=0123456789ABCDEF0123456789ABCDEF";
    assertThat(cookie(login(TOKEN, "/", "Cookie", chosenByAClient))).isNotEqualTo(chosenByAClient);
  }

  @Test
  void pagesAreNotKeptByTheBrowser() {
    String cookie = cookie(login(TOKEN, "/"));
    assertThat(server.get("/", "Cookie", cookie).headers().firstValue("Cache-Control"))
        .hasValue("no-store");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/..//evil.example",
        "//evil.example",
        "/%5Cevil.example",
        "/%0d%0aX:%20y",
        "https://evil.example/",
        "javascript:alert(1)",
        "/{x}"
      })
  void loginReturnsOnlyToPagesOfThisServer(String next) {
    HttpResponse<byte[]> answer = login(TOKEN, URLEncoder.encode(next, StandardCharsets.UTF_8));
    assertThat(answer.statusCode()).isEqualTo(302);
    assertThat(answer.headers().firstValue("Location")).hasValue("/");
    assertThat(server.text("/login?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8)))
        .contains("name=\"next\" value=\"/\"");
  }

  @Test
  void unreadableLoginIsABadRequest() {
    HttpResponse<byte[]> answer = login("%", "/");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
  }

  @Test
  void wrongTokensAreLimitedPerAddress() throws Exception {
    try (HttpClient guesser = from("127.0.0.2");
        HttpClient other = from("127.0.0.3")) {
      for (int i = 0; i < GuessLimit.PER_CLIENT; i++) {
        assertThat(snapshots(guesser, "wrong" + i).statusCode()).isEqualTo(401);
      }
      HttpResponse<String> limited = snapshots(guesser, "wrong");
      assertThat(limited.statusCode()).isEqualTo(429);
      assertThat(Long.parseLong(limited.headers().firstValue("Retry-After").orElseThrow()))
          .isBetween(1L, 6L);
      assertThat(limited.body()).contains("Too many wrong tokens");
      assertThat(snapshots(guesser, TOKEN).statusCode()).as("no oracle").isEqualTo(429);
      HttpRequest form =
          HttpRequest.newBuilder(server.at("/login"))
              .headers("Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded")
              .POST(HttpRequest.BodyPublishers.ofString("token=" + TOKEN))
              .build();
      HttpResponse<String> page = guesser.send(form, HttpResponse.BodyHandlers.ofString());
      assertThat(page.statusCode()).isEqualTo(429);
      assertThat(page.body()).contains("type=\"password\"", "Too many wrong access tokens");
      assertThat(snapshots(other, TOKEN).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void publicAssetsNeedNoToken() {
    assertThat(server.get("/icon.svg").statusCode()).isEqualTo(200);
    assertThat(server.get("/app/missing.js").statusCode()).isEqualTo(404);
    assertThat(server.get("/actuator/env").statusCode()).isEqualTo(401);
  }

  @Test
  void largeUploadWithoutATokenIsNotRead() throws Exception {
    try (Socket socket = new Socket("localhost", server.at("/").getPort())) {
      socket
          .getOutputStream()
          .write(
              ("POST /api/v1/snapshots HTTP/1.1\r\nHost: localhost\r\nContent-Type:"
                      + " application/x-www-form-urlencoded\r\nContent-Length:"
                      + " 5000000000\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      byte[] start = socket.getInputStream().readNBytes(12);
      assertThat(new String(start, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 401");
    }
  }

  @Test
  void healthNeedsNoToken() {
    assertThat(server.get("/actuator/health").statusCode()).isEqualTo(200);
    assertThat(server.get("/actuator/health/readiness").statusCode()).isNotEqualTo(401);
    assertThat(server.get("/actuator/health", "Authorization", "Bearer x").statusCode())
        .isEqualTo(200);
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

  private static HttpResponse<byte[]> login(String token, String next, String... headers) {
    String[] type = {"Content-Type", "application/x-www-form-urlencoded"};
    return server.post(
        "/login",
        ("token=" + token + "&next=" + next).getBytes(StandardCharsets.UTF_8),
        Stream.concat(Arrays.stream(type), Arrays.stream(headers)).toArray(String[]::new));
  }

  private static String cookie(HttpResponse<?> answer) {
    String header = answer.headers().firstValue("Set-Cookie").orElseThrow();
    return header.substring(0, header.indexOf(';'));
  }

  private static HttpClient from(String address) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .localAddress(InetAddress.ofLiteral(address))
        .build();
  }

  private static HttpResponse<String> snapshots(HttpClient client, String token)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.at("/").getPort() + "/api/v1/snapshots"))
            .header("Authorization", "Bearer " + token)
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
