package dev.vramscope.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** What every page needs: its script and style, and the theme that was chosen. */
@ControllerAdvice(annotations = Controller.class)
class PageModel {
  private final Assets assets;

  PageModel(Assets assets) {
    this.assets = assets;
  }

  @ModelAttribute("assets")
  Assets assets() {
    return assets;
  }

  /** {@code light}, {@code dark}, or null to follow the system. */
  @ModelAttribute("theme")
  @Nullable String theme(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals("theme")
            && (cookie.getValue().equals("light") || cookie.getValue().equals("dark"))) {
          return cookie.getValue();
        }
      }
    }
    return null;
  }
}
