package dev.vramscope.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.http.HttpHeaders;

/**
 * The access token, accepted as a bearer token or as the cookie set by the login form. The cookie
 * is a keyed hash of the token: it does not reveal the token and becomes invalid with it.
 */
final class AccessToken {
  static final String COOKIE = "vramscope-access";

  private static final String BEARER = "Bearer ";

  private final byte[] token;
  private final String cookieValue;

  AccessToken(String token) {
    this.token = token.getBytes(StandardCharsets.UTF_8);
    cookieValue = keyedHash(this.token);
  }

  boolean isCarriedBy(HttpServletRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return matches(header.substring(BEARER.length()).strip());
    }
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(COOKIE)) {
          return isSame(cookieValue.getBytes(StandardCharsets.UTF_8), cookie.getValue());
        }
      }
    }
    return false;
  }

  boolean matches(String candidate) {
    return isSame(token, candidate);
  }

  String cookieValue() {
    return cookieValue;
  }

  /** Compares in constant time. */
  private static boolean isSame(byte[] expected, String candidate) {
    return MessageDigest.isEqual(expected, candidate.getBytes(StandardCharsets.UTF_8));
  }

  private static String keyedHash(byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return HexFormat.of()
          .formatHex(mac.doFinal("vramscope access cookie".getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has HmacSHA256", impossible);
    }
  }
}
