package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Assertions about error responses. */
final class ProblemAssertions {
  private ProblemAssertions() {}

  /** The response is a problem with all its members and without the name of a Java class. */
  static void assertProblem(HttpResponse<byte[]> answer, int status, String expected) {
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    assertThat(answer.statusCode()).as(text).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(text).contains(expected, "\"title\"", "\"detail\"", "\"where\"", "\"next\"");
    assertThat(text).doesNotContain("dev.vramscope", "java.lang");
  }
}
