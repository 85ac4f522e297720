package dev.vramscope.web.problem;

import dev.vramscope.model.VisibleText;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.ModelAndView;
import org.thymeleaf.context.Context;
import org.thymeleaf.spring6.ISpringTemplateEngine;
import org.thymeleaf.spring6.expression.ThymeleafEvaluationContext;
import tools.jackson.databind.json.JsonMapper;

/** Writes a problem: as a page for a browser, as JSON for other clients. */
@Component
public final class Problems {
  /** Request attribute with the problem, for {@link ErrorPage}. */
  public static final String ATTRIBUTE = Problem.class.getName();

  private static final String PAGE_TYPE = "text/html;charset=UTF-8";

  private final JsonMapper json;
  private final ISpringTemplateEngine templates;
  private final ApplicationContext beans;

  public Problems(JsonMapper json, ISpringTemplateEngine templates, ApplicationContext beans) {
    this.json = json;
    this.templates = templates;
    this.beans = beans;
  }

  /** Returns the page to render, or null if JSON was written. */
  @Nullable ModelAndView answer(
      Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (AcceptHeader.namesHtml(request)) {
      PageProblem pageProblem = PageProblem.of(problem, request);
      ModelAndView page = new ModelAndView("problem", "problem", pageProblem.problem());
      page.addObject("link", pageProblem.link());
      page.addObject("theme", PageModel.theme(request));
      page.addObject("signedIn", PageModel.signedIn(request));
      page.setStatus(HttpStatus.valueOf(problem.status()));
      return page;
    }
    write(problem, response);
    return null;
  }

  /** Writes the same outside of Spring MVC, where no view is rendered afterwards. */
  public void write(Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (AcceptHeader.namesHtml(request)) {
      write(problem.status(), PAGE_TYPE, page(problem, request), response);
    } else {
      write(problem, response);
    }
  }

  private void write(Problem problem, HttpServletResponse response) throws IOException {
    write(problem.status(), Problem.MEDIA_TYPE, json.writeValueAsBytes(problem), response);
  }

  private static void write(int status, String type, byte[] body, HttpServletResponse response)
      throws IOException {
    response.resetBuffer();
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private byte[] page(Problem problem, HttpServletRequest request) {
    Context variables = new Context(Locale.ENGLISH);
    variables.setVariable(
        ThymeleafEvaluationContext.THYMELEAF_EVALUATION_CONTEXT_CONTEXT_VARIABLE_NAME,
        new ThymeleafEvaluationContext(beans, null));
    PageProblem pageProblem = PageProblem.of(problem, request);
    variables.setVariable("problem", pageProblem.problem());
    variables.setVariable("link", pageProblem.link());
    variables.setVariable("theme", PageModel.theme(request));
    variables.setVariable("signedIn", PageModel.signedIn(request));
    return VisibleText.of(templates.process("problem", variables)).getBytes(StandardCharsets.UTF_8);
  }
}
