package dev.vramscope.web.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;

/** Errors from outside the controllers, such as a request that Tomcat rejects. */
@Controller
class ErrorPage implements ErrorController {
  private final Problems problems;
  private final ProblemAdvice advice;

  ErrorPage(Problems problems, ProblemAdvice advice) {
    this.problems = problems;
    this.advice = advice;
  }

  @RequestMapping("/error")
  @Nullable ModelAndView show(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    SecurityHeaders.ALWAYS.writeHeaders(request, response);
    if (request.getAttribute(Problems.ATTRIBUTE) instanceof Problem problem) {
      return problems.answer(problem, request, response);
    }
    if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable failure) {
      return problems.answer(advice.problem(failure), request, response);
    }
    Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    HttpStatus status =
        code instanceof Integer number && HttpStatus.resolve(number) != null
            ? HttpStatus.valueOf(number)
            : HttpStatus.NOT_FOUND;
    Object path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
    return problems.answer(
        Problem.of(
            status,
            status.getReasonPhrase(),
            "The server responded with status " + status.value(),
            path == null ? "" : path.toString(),
            "See /api/docs for the REST API, or start at the dashboard (/)."),
        request,
        response);
  }
}
