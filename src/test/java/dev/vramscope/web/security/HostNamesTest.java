package dev.vramscope.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostNamesTest {
  private final HostNames names = new HostNames(List.of("gpu.example"), false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:8080",
        "127.0.0.1:1",
        "127.1.2.3",
        "[::1]:8080",
        "a.localhost",
        "gpu.example:80"
      })
  void acceptsLoopbackAndConfiguredNames(String host) {
    assertThat(names.contain(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil",
        "",
        "[::2]"
      })
  void rejectsOtherNames(String host) {
    assertThat(names.contain(host)).isFalse();
    assertThat(names.contain(null)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"anything.example:8080"})
  void acceptsAnyNameWithAToken(String host) {
    assertThat(new HostNames(List.of(), true).contain(host)).isTrue();
  }
}
