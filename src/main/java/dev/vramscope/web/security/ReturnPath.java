package dev.vramscope.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The page of this server that a browser opens after the login. */
final class ReturnPath {
  private static final String DASHBOARD = "/";
  private static final int MAX_LENGTH = 4096;

  /**
   * Non-empty segments of unreserved characters, none of them a dot segment; then a query. The
   * segments are possessive: a repeated group that can backtrack is matched recursively.
   */
  private static final Pattern PAGE =
      Pattern.compile(
          "(?:/(?!\\.{1,2}(?:[/?]|$))[A-Za-z0-9._~-]+)*+/?(?:\\?[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?");

  private ReturnPath() {}

  /** The given path if it is a normalized path of this server, otherwise the dashboard. */
  static String of(@Nullable String next) {
    if (next == null || next.length() > MAX_LENGTH || !next.startsWith("/")) {
      return DASHBOARD;
    }
    if (!PAGE.matcher(next).matches() || next.startsWith(LoginPage.PATH)) {
      return DASHBOARD;
    }
    return next;
  }

  /** The page that a request without access asked for; a form cannot be repeated after a login. */
  static String of(HttpServletRequest request) {
    String query = request.getQueryString();
    return request.getMethod().equals("GET")
        ? of(request.getRequestURI() + (query == null ? "" : "?" + query))
        : DASHBOARD;
  }
}
