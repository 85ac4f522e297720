package dev.vramscope.web.security;

import java.time.Duration;
import org.springframework.security.core.AuthenticationException;

/** A client sent too many wrong access tokens. */
final class TooManyGuessesException extends AuthenticationException {
  private static final long serialVersionUID = 1L;

  private final Duration wait;

  TooManyGuessesException(Duration wait) {
    super("Too many wrong access tokens");
    this.wait = wait;
  }

  /** Time until the next attempt is accepted, in whole seconds, at least 1. */
  long waitSeconds() {
    return Math.max(1, wait.plusNanos(999_999_999).toSeconds());
  }
}
