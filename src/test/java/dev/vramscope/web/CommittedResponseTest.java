package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.web.connection.ConnectionProtocol;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.Problems;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;
import org.springframework.context.support.StaticApplicationContext;
import org.thymeleaf.spring6.SpringTemplateEngine;
import tools.jackson.databind.json.JsonMapper;

class CommittedResponseTest {
  /** A response of unknown length ends with a chunk of length 0: without it, it is incomplete. */
  @Test
  void failureAfterTheFirstBytesIsNotACompleteResponse() throws Exception {
    TomcatServletWebServerFactory tomcat = new TomcatServletWebServerFactory(0);
    tomcat.setProtocol(ConnectionProtocol.class.getName());
    WebServer server =
        tomcat.getWebServer(
            context -> context.addServlet("failing", new Failing()).addMapping("/", "/failing"));
    server.start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + server.getPort() + "/");
      assertThatThrownBy(
              () -> client.send(request(uri.resolve("/failing")), BodyHandlers.ofByteArray()))
          .isInstanceOf(IOException.class);
      assertThat(client.send(request(uri), BodyHandlers.ofString()).body()).isEqualTo("complete");
    } finally {
      server.stop();
    }
  }

  private static HttpRequest request(URI uri) {
    return HttpRequest.newBuilder(uri).build();
  }

  private static final class Failing extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient ProblemAdvice advice =
        new ProblemAdvice(
            new Problems(
                JsonMapper.builder().build(),
                new SpringTemplateEngine(),
                new StaticApplicationContext()));

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getOutputStream().write("complete".getBytes(StandardCharsets.UTF_8));
      response.flushBuffer();
      if (request.getRequestURI().equals("/failing")) {
        advice.answer(new IllegalStateException("a column is damaged"), request, response);
      }
    }
  }
}
