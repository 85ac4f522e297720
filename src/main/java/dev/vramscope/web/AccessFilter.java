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
 * Sees every request first. In this order: the headers every answer has; by which name the server
 * was reached (a page elsewhere may have made its own name point here); whether a change was asked
 * for by a page of ours; who asks.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
final class AccessFilter extends OncePerRequestFilter {
  private static final String CONTENT_POLICY =
      "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action"
          + " 'self'; frame-ancestors 'none'";
  private static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS");

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
      problems.write(foreignName(host), response);
    } else if (!HARMLESS.contains(request.getMethod()) && isCrossSite(request, host)) {
      problems.write(crossSite(request), response);
    } else if (isOpenToAll(request) || token.isEmpty() || token.get().isCarriedBy(request)) {
      chain.doFilter(request, response);
    } else if (AcceptHeader.namesHtml(request)) {
      response.sendRedirect(
          "/login?next=" + URLEncoder.encode(wanted(request), StandardCharsets.UTF_8));
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

  /** AcceptHeader say where a change comes from; programs do not, and are no danger here. */
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

  /** The login form, its style, and whether the server lives. */
  private static boolean isOpenToAll(HttpServletRequest request) {
    String path = request.getRequestURI();
    return path.equals("/login") || path.startsWith("/app/") || path.equals("/actuator/health");
  }

  private static String wanted(HttpServletRequest request) {
    String query = request.getQueryString();
    boolean isPage = request.getMethod().toUpperCase(Locale.ROOT).equals("GET");
    return isPage ? request.getRequestURI() + (query == null ? "" : "?" + query) : "/";
  }

  private static Problem foreignName(@Nullable String host) {
    return Problem.of(
        HttpStatus.MISDIRECTED_REQUEST,
        "Unknown host name",
        "This server is not known as " + host,
        "header Host",
        "Reach it as localhost, or start it with --vramscope.host-names=" + "NAME.");
  }

  private static Problem crossSite(HttpServletRequest request) {
    return Problem.of(
        HttpStatus.FORBIDDEN,
        "Request from another site",
        request.getMethod() + " was asked for by a page of another site",
        "headers Sec-Fetch-Site, Origin",
        "Open this server's own page and ask there.");
  }

  private static Problem tokenMissing() {
    return Problem.of(
        HttpStatus.UNAUTHORIZED,
        "Token needed",
        "This server wants a token",
        "header Authorization",
        "Send 'Authorization: Bearer TOKEN', with the token that it was started with.");
  }
}
