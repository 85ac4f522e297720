package dev.vramscope.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The first filter. It sets the security headers of every response, then rejects requests with an
 * unknown {@code Host} (DNS rebinding), state-changing requests from other sites (CSRF), and
 * requests without the access token, in this order.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
final class AccessFilter extends OncePerRequestFilter {
  private static final String CONTENT_POLICY =
      "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action"
          + " 'self'; frame-ancestors 'none'";
  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");

  private final HostNames hostNames;
  private final Optional<AccessToken> token;
  private final Problems problems;

  AccessFilter(WebSettings settings, Problems problems) {
    hostNames = new HostNames(settings.hostNames(), settings.token() != null);
    token = Optional.ofNullable(settings.token()).map(AccessToken::new);
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    setHeaders(response);
    String host = request.getHeader(HttpHeaders.HOST);
    if (!hostNames.contain(host)) {
      problems.write(unknownHost(host), response);
    } else if (!SAFE_METHODS.contains(request.getMethod()) && isCrossSite(request, host)) {
      problems.write(crossSite(request), response);
    } else if (isPublic(request) || token.isEmpty() || token.get().isCarriedBy(request)) {
      chain.doFilter(request, response);
    } else if (AcceptHeader.namesHtml(request)) {
      response.sendRedirect(
          "/login?next=" + URLEncoder.encode(pathAfterLogin(request), StandardCharsets.UTF_8));
    } else {
      response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"vramscope\"");
      problems.write(tokenMissing(), response);
    }
  }

  private static void setHeaders(HttpServletResponse response) {
    response.setHeader("Content-Security-Policy", CONTENT_POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  }

  /**
   * Browsers send the origin of a request; a client that sends none is not a browser and no CSRF
   * risk.
   */
  private static boolean isCrossSite(HttpServletRequest request, @Nullable String host) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin == null) {
      return false;
    }
    try {
      return !URI.create(origin).getAuthority().equalsIgnoreCase(host);
    } catch (IllegalArgumentException | NullPointerException opaque) {
      return true;
    }
  }

  /** The login form, its assets, and the health check. */
  private static boolean isPublic(HttpServletRequest request) {
    String path = request.getRequestURI();
    return path.equals("/login") || path.startsWith("/app/") || path.equals("/actuator/health");
  }

  private static String pathAfterLogin(HttpServletRequest request) {
    String query = request.getQueryString();
    boolean isPage = request.getMethod().toUpperCase(Locale.ROOT).equals("GET");
    return isPage ? request.getRequestURI() + (query == null ? "" : "?" + query) : "/";
  }

  private static Problem unknownHost(@Nullable String host) {
    return Problem.of(
        HttpStatus.MISDIRECTED_REQUEST,
        "Unknown host name",
        "This server is not configured for the host name " + host,
        "header Host",
        "Use localhost, or start the server with --vramscope.host-names=NAME.");
  }

  private static Problem crossSite(HttpServletRequest request) {
    return Problem.of(
        HttpStatus.FORBIDDEN,
        "Request from another site",
        request.getMethod() + " was sent by a page of another site",
        "headers Sec-Fetch-Site, Origin",
        "Repeat it on a page of this server.");
  }

  private static Problem tokenMissing() {
    return Problem.of(
        HttpStatus.UNAUTHORIZED,
        "Token required",
        "This server requires an access token",
        "header Authorization",
        "Send 'Authorization: Bearer TOKEN' with the token that the server was started with.");
  }
}
