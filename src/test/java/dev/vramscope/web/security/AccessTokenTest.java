package dev.vramscope.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccessTokenTest {
  /** A token from a file usually ends with a newline. */
  @Test
  void whiteSpaceAroundEitherTokenIsIgnored() {
    assertThat(new AccessToken("secret\n").matches("secret")).isTrue();
    assertThat(new AccessToken("secret").matches(" secret\n")).isTrue();
    assertThat(new AccessToken("sec ret").matches("secret")).isFalse();
  }
}
