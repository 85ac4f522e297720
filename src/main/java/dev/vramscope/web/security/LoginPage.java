package dev.vramscope.web.security;

import dev.vramscope.web.problem.Problems;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The login form. {@link SecurityConfiguration} handles what it sends. */
@Controller
class LoginPage {
  static final String PATH = "/login";
  static final String LOGOUT_PATH = "/logout";
  static final String TOKEN_FIELD = "token";
  static final String NEXT_FIELD = "next";

  private final boolean isNeeded;

  LoginPage(WebSettings settings) {
    isNeeded = settings.token() != null;
  }

  @GetMapping(PATH)
  String form(@RequestParam(NEXT_FIELD) @Nullable String next, Model model) {
    model.addAttribute("next", ReturnPath.of(next));
    return isNeeded ? "login" : "redirect:/";
  }

  /** A rejected login, forwarded by {@link RefusedAccess}, which has set the status. */
  @PostMapping(PATH)
  String rejected(
      @RequestParam(NEXT_FIELD) @Nullable String next, HttpServletRequest request, Model model) {
    model.addAttribute("problem", request.getAttribute(Problems.ATTRIBUTE));
    return form(next, model);
  }
}
