package dev.vramscope.web.security;

import java.time.Duration;
import java.util.List;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/** Accepts the access token, whether it comes from the login form or as a bearer token. */
final class TokenCheck implements AuthenticationManager {
  private static final String PRINCIPAL = "token";

  private final AccessToken token;
  private final GuessLimit guesses;

  TokenCheck(AccessToken token, GuessLimit guesses) {
    this.token = token;
    this.guesses = guesses;
  }

  /**
   * Rejects a client with too many wrong tokens before the comparison: the response to a right
   * token is then the same as to a wrong one.
   */
  @Override
  public Authentication authenticate(Authentication candidate) {
    String client = address(candidate);
    Duration wait = guesses.waitBefore(client);
    if (!wait.isZero()) {
      throw new TooManyGuessesException(wait);
    }
    if (!token.matches(String.valueOf(candidate.getCredentials()))) {
      guesses.recordWrong(client);
      throw new BadCredentialsException("The access token is not correct");
    }
    guesses.recordRight(client);
    return UsernamePasswordAuthenticationToken.authenticated(PRINCIPAL, null, List.of());
  }

  private static String address(Authentication candidate) {
    return candidate.getDetails() instanceof WebAuthenticationDetails request
        ? String.valueOf(request.getRemoteAddress())
        : "";
  }
}
