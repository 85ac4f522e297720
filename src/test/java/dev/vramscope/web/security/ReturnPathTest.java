package dev.vramscope.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReturnPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/snapshots",
        "/snapshots?q=x&job=j%C3%B6b&next=//evil.example",
        "/snapshots/0123456789abcdef/timeline?from=3000&to=4200",
        "/snapshots/",
        "/?q=%0d%0a",
        "/.well-known/x..y"
      })
  void keepsPathsOfThisServer(String next) {
    assertThat(ReturnPath.of(next)).isEqualTo(next);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " /",
        "snapshots",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/..//evil.example",
        "/../evil",
        "/..",
        "/.",
        "/a/../b",
        "/a/./b",
        "/a/..?q=x",
        "/a//b",
        "/%2e%2e//evil.example",
        "/%2f%2fevil.example",
        "/%5cevil.example",
        "/%252fevil.example",
        "/a\r\nX: y",
        "/a%0d%0aX:%20y",
        "/a\u0000",
        "/a\tb",
        "/\tevil.example",
        "/{x}",
        "/?x={y}",
        "/a;b=c",
        "/a#b",
        "/@evil.example",
        "/\u3002evil.example",
        "https://evil.example",
        "HTTPS:evil.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "/login",
        "/login?next=/",
        "?q=x"
      })
  void everythingElseIsTheDashboard(String next) {
    assertThat(ReturnPath.of(next)).isEqualTo("/");
  }

  @Test
  void longestPathOfShortSegmentsIsKept() {
    String longest = "/a".repeat(2048);
    assertThat(ReturnPath.of(longest)).isEqualTo(longest);
    assertThat(ReturnPath.of("/a".repeat(2047) + "/.")).isEqualTo("/");
  }

  @Test
  void missingOrOverlongPathIsTheDashboard() {
    assertThat(ReturnPath.of((String) null)).isEqualTo("/");
    assertThat(ReturnPath.of("/?q=" + "x".repeat(5000))).isEqualTo("/");
  }
}
