package dev.vramscope.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The login form: exchanges the token for an HttpOnly cookie. */
@Controller
class LoginPage {
  private static final Duration COOKIE_LIFETIME = Duration.ofDays(30);

  private final Optional<AccessToken> token;

  LoginPage(WebSettings settings) {
    token = Optional.ofNullable(settings.token()).map(AccessToken::new);
  }

  @GetMapping("/login")
  String form(@RequestParam @Nullable String next, Model model) {
    model.addAttribute("next", ownPath(next));
    return token.isPresent() ? "login" : "redirect:/";
  }

  @PostMapping("/login")
  String login(
      @RequestParam(name = "token", defaultValue = "") String candidate,
      @RequestParam @Nullable String next,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    if (token.isEmpty()) {
      return "redirect:/";
    }
    if (!token.get().matches(candidate.strip())) {
      response.setStatus(HttpStatus.UNAUTHORIZED.value());
      model.addAttribute("next", ownPath(next));
      model.addAttribute("refused", true);
      return "login";
    }
    response.addHeader(
        HttpHeaders.SET_COOKIE,
        ResponseCookie.from(AccessToken.COOKIE, token.get().cookieValue())
            .httpOnly(true)
            .secure(request.isSecure())
            .sameSite("Strict")
            .path("/")
            .maxAge(COOKIE_LIFETIME)
            .build()
            .toString());
    return "redirect:" + ownPath(next);
  }

  /** A path of this server; anything that could redirect to another site becomes the dashboard. */
  static String ownPath(@Nullable String next) {
    if (next == null || !next.startsWith("/") || next.startsWith("//")) {
      return "/";
    }
    return next.chars().noneMatch(c -> c == '\\' || c < ' ' || c == '{') ? next : "/";
  }
}
