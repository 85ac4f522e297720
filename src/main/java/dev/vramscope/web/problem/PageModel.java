package dev.vramscope.web.problem;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** Model attributes of every page: the chosen theme, and whether there is a session to end. */
@ControllerAdvice(annotations = Controller.class)
class PageModel {
  /** {@code light}, {@code dark}, or null to follow the system. */
  @ModelAttribute("theme")
  static @Nullable String theme(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        String value = cookie.getValue();
        if (cookie.getName().equals("theme") && (value.equals("light") || value.equals("dark"))) {
          return value;
        }
      }
    }
    return null;
  }

  /** Only a login creates a session. */
  @ModelAttribute("signedIn")
  static boolean signedIn(HttpServletRequest request) {
    return request.getSession(false) != null;
  }
}
