package dev.vramscope.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.ModelAndView;
import tools.jackson.databind.json.JsonMapper;

/** Writes a problem: as a page for a browser, as JSON for other clients. */
@Component
final class Problems {
  /** Request attribute with the problem, for {@link ErrorPage}. */
  static final String ATTRIBUTE = Problem.class.getName();

  private final JsonMapper json;

  Problems(JsonMapper json) {
    this.json = json;
  }

  /** Returns the page to render, or null if JSON was written. */
  @Nullable ModelAndView answer(
      Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (AcceptHeader.namesHtml(request)) {
      ModelAndView page = new ModelAndView("problem", "problem", problem);
      page.addObject("theme", PageModel.theme(request));
      page.setStatus(HttpStatus.valueOf(problem.status()));
      return page;
    }
    write(problem, response);
    return null;
  }

  void write(Problem problem, HttpServletResponse response) throws IOException {
    byte[] body = json.writeValueAsBytes(problem);
    response.resetBuffer();
    response.setStatus(problem.status());
    response.setContentType(Problem.MEDIA_TYPE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
