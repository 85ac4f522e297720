package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginPageTest {
  @Test
  void keepsPathsOfThisServer() {
    assertThat(LoginPage.ownPath("/snapshots?q=x")).isEqualTo("/snapshots?q=x");
    assertThat(LoginPage.ownPath(null)).isEqualTo("/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "/a\r\nX: y",
        "",
        "/{x}"
      })
  void rejectsRedirectsToOtherSites(String next) {
    assertThat(LoginPage.ownPath(next)).isEqualTo("/");
  }
}
