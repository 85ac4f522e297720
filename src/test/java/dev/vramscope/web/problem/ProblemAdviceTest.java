package dev.vramscope.web.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.tomcat.util.http.fileupload.impl.FileCountLimitExceededException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.ErrorResponseException;
import org.thymeleaf.spring6.SpringTemplateEngine;
import tools.jackson.databind.json.JsonMapper;

class ProblemAdviceTest {
  private final ProblemAdvice advice =
      new ProblemAdvice(
          new Problems(
              JsonMapper.builder().build(),
              new SpringTemplateEngine(),
              new StaticApplicationContext()));

  @ParameterizedTest
  @EnumSource(Reason.class)
  void formatErrorsKeepTheirText(Reason reason) {
    Problem problem =
        advice.problem(
            new FormatException(reason, "the end is missing", "byte 17", "Send it again."));
    assertThat(problem.status()).isEqualTo(reason == Reason.TOO_LARGE ? 413 : 422);
    assertThat(problem.detail()).isEqualTo("The end is missing");
    assertThat(problem.where()).isEqualTo("byte 17");
    // What to do with a file of another kind comes first.
    assertThat(problem.next()).endsWith("Send it again.");
    assertThat(problem.title()).isNotBlank();
  }

  @Test
  void unwrapsCompletionExceptions() {
    Problem problem =
        advice.problem(new CompletionException(RefusedRequestException.noSnapshot("abc")));
    assertThat(problem.status()).isEqualTo(404);
    assertThat(problem.detail()).contains("abc");
  }

  @Test
  void internalErrorsRevealNoDetails() {
    Problem problem = advice.problem(new IllegalStateException("secret path"));
    assertThat(problem.status()).isEqualTo(500);
    assertThat(problem.toString()).doesNotContain("secret path");
  }

  @Test
  void heapExhaustionNamesTheRemedy() {
    Problem problem = advice.problem(new OutOfMemoryError("Java heap space"));
    assertThat(problem.status()).isEqualTo(503);
    assertThat(problem.next()).contains("-Xmx");
  }

  @Test
  void wrappedHeapExhaustionIsRecognized() {
    OutOfMemoryError full = new OutOfMemoryError("Java heap space");
    for (Throwable wrapped :
        List.of(
            new ServletException("Handler dispatch failed", full),
            new CompletionException(full),
            new ExecutionException(new CompletionException(full)),
            new IllegalStateException(new UncheckedIOException(new IOException(full))))) {
      Problem problem = advice.problem(wrapped);
      assertThat(problem.status()).as(wrapped.toString()).isEqualTo(503);
      assertThat(problem.next()).contains("-Xmx");
    }
  }

  @Test
  void causesThatFormACycleAreInternalErrors() {
    Exception first = new Exception("first");
    Exception second = new Exception("second", first);
    first.initCause(second);
    assertThat(advice.problem(first).status()).isEqualTo(500);
  }

  @Test
  void retryAfterOfTheExceptionIsKept() throws IOException {
    ErrorResponseException busy = new ErrorResponseException(HttpStatus.SERVICE_UNAVAILABLE);
    busy.getHeaders().set(HttpHeaders.RETRY_AFTER, "30");
    assertThat(retryAfter(busy)).isEqualTo("30");
    assertThat(retryAfter(new OutOfMemoryError("Java heap space"))).isEqualTo("5");
  }

  private @Nullable String retryAfter(Throwable failure) throws IOException {
    MockHttpServletResponse response = new MockHttpServletResponse();
    advice.answer(failure, new MockHttpServletRequest(), response);
    return response.getHeader(HttpHeaders.RETRY_AFTER);
  }

  @Test
  void tooManyPartsNamesTheLimit() {
    Problem problem =
        advice.problem(
            new IllegalStateException(new FileCountLimitExceededException("attachment", 1100)));
    assertThat(problem.status()).isEqualTo(413);
    assertThat(problem.detail()).contains("more than 1100 files and fields");
    assertThat(problem.next()).contains("server.tomcat.max-part-count");
  }
}
