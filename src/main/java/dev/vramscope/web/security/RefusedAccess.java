package dev.vramscope.web.security;

import dev.vramscope.web.problem.AcceptHeader;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.Problems;
import dev.vramscope.web.problem.SecurityHeaders;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.firewall.RequestRejectedException;

/** Responses to requests that the security filters reject. */
final class RefusedAccess {
  private static final String CHALLENGE = "Bearer realm=\"vramscope\"";

  private final Problems problems;

  RefusedAccess(Problems problems) {
    this.problems = problems;
  }

  /** A request without a session and without a token: a browser is sent to the login form. */
  void askForToken(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException missing)
      throws IOException {
    if (AcceptHeader.namesHtml(request)) {
      response.sendRedirect(
          "/login?next=" + URLEncoder.encode(ReturnPath.of(request), StandardCharsets.UTF_8));
      return;
    }
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, CHALLENGE);
    problems.write(
        Problem.of(
            HttpStatus.UNAUTHORIZED,
            "Token required",
            "This server requires an access token",
            "header Authorization",
            "Send 'Authorization: Bearer TOKEN' with the token that the server was started with. In"
                + " a browser, reload the page to sign in."),
        request,
        response);
  }

  /** A wrong bearer token. */
  void rejectBearer(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException wrong)
      throws IOException {
    Problem problem = problem(wrong, response);
    if (problem.status() == HttpStatus.UNAUTHORIZED.value()) {
      response.setHeader(HttpHeaders.WWW_AUTHENTICATE, CHALLENGE + ", error=\"invalid_token\"");
    }
    problems.write(problem, request, response);
  }

  /** A wrong token in the login form, which {@link LoginPage} shows again. */
  void rejectLogin(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException wrong)
      throws IOException, ServletException {
    Problem problem = problem(wrong, response);
    if (AcceptHeader.namesHtml(request)) {
      response.setStatus(problem.status());
      request.setAttribute(Problems.ATTRIBUTE, problem);
      request.getRequestDispatcher(LoginPage.PATH).forward(request, response);
    } else {
      problems.write(problem, request, response);
    }
  }

  /** A request that {@link HostCheck} rejects, before any other filter. */
  void rejectRequest(
      HttpServletRequest request, HttpServletResponse response, RequestRejectedException rejected)
      throws IOException {
    SecurityHeaders.ALWAYS.writeHeaders(request, response);
    problems.write(
        rejected instanceof HostCheck.UnknownHostNameException unknown
            ? Problem.of(
                HttpStatus.MISDIRECTED_REQUEST,
                "Unknown host name",
                String.valueOf(unknown.getMessage()),
                "header Host",
                "Use localhost, or start the server with --vramscope.host-names=NAME.")
            : Problem.ofMalformedRequest(),
        request,
        response);
  }

  private static Problem problem(AuthenticationException wrong, HttpServletResponse response) {
    if (wrong instanceof TooManyGuessesException excess) {
      response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(excess.waitSeconds()));
      return Problem.of(
          HttpStatus.TOO_MANY_REQUESTS,
          "Too many wrong tokens",
          "Too many wrong access tokens were sent",
          "",
          "Wait " + excess.waitSeconds() + " s, then send the right one.");
    }
    return Problem.of(
        HttpStatus.UNAUTHORIZED,
        "Wrong token",
        "The access token is not correct",
        "header Authorization",
        "Use the token that the server was started with: the value of VRAMSCOPE_TOKEN or"
            + " --vramscope.token.");
  }
}
