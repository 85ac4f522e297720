package dev.vramscope.web.security;

import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Rejects state-changing requests that a browser sends for a page of another site (CSRF).
 *
 * <p>Every browser that can use the pages sends {@code Origin} with a POST, and {@code
 * Sec-Fetch-Site} to loopback and HTTPS addresses. A client that sends neither is not a browser and
 * no CSRF risk. This replaces Spring Security's CSRF tokens, whose filter reads the request
 * parameters and so would parse the body of an upload.
 */
final class CrossSiteFilter extends OncePerRequestFilter {
  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

  private final Problems problems;

  CrossSiteFilter(Problems problems) {
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (SAFE_METHODS.contains(request.getMethod()) || !isCrossSite(request)) {
      chain.doFilter(request, response);
      return;
    }
    problems.write(
        Problem.of(
            HttpStatus.FORBIDDEN,
            "Request from another site",
            request.getMethod() + " was sent by a page of another site",
            "headers Sec-Fetch-Site, Origin",
            "Repeat it on a page of this server."),
        request,
        response);
  }

  private static boolean isCrossSite(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return !OWN_SITE.contains(site);
    }
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin == null) {
      return false;
    }
    try {
      String authority = URI.create(origin).getAuthority();
      return authority == null || !authority.equalsIgnoreCase(request.getHeader(HttpHeaders.HOST));
    } catch (IllegalArgumentException malformed) {
      return true;
    }
  }
}
