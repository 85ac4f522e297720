package dev.vramscope.web.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The access token that the server was started with, without white space at its ends. */
final class AccessToken {
  private final byte[] token;

  AccessToken(String token) {
    this.token = token.strip().getBytes(StandardCharsets.UTF_8);
  }

  /** Compares in constant time. */
  boolean matches(String candidate) {
    return MessageDigest.isEqual(token, candidate.strip().getBytes(StandardCharsets.UTF_8));
  }
}
