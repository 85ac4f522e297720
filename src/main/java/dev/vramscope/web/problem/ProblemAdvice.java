package dev.vramscope.web.problem;

import dev.vramscope.intake.IntakeBusyException;
import dev.vramscope.model.SentenceCase;
import dev.vramscope.store.DamagedSnapshotException;
import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.web.connection.ClientConnection;
import dev.vramscope.web.connection.EndReason;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.whatif.replays.ReplaysBusyException;
import dev.vramscope.whatif.replays.SettingsRefusedException;
import dev.vramscope.work.WorkBusyException;
import dev.vramscope.work.WorkCancelledException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.coyote.BadRequestException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.apache.tomcat.util.http.fileupload.FileUploadException;
import org.apache.tomcat.util.http.fileupload.impl.FileCountLimitExceededException;
import org.apache.tomcat.util.http.fileupload.impl.SizeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.ui.Model;
import org.springframework.validation.BindException;
import org.springframework.validation.FieldError;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.MethodArgumentConversionNotSupportedException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/**
 * Maps every exception to its problem response; {@link LiveProblems} and {@link UploadProblems} are
 * the larger groups.
 */
@ControllerAdvice
public class ProblemAdvice {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

  private static final String SEE_API =
      "See /api/docs for the REST API, or start at the dashboard (/).";

  private static final int MAX_CAUSES = 20;
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]+");

  private final Problems problems;

  public ProblemAdvice(Problems problems) {
    this.problems = problems;
  }

  @ExceptionHandler(Throwable.class)
  public @Nullable ModelAndView answer(
      Throwable failure, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (cause(failure, AsyncRequestNotUsableException.class) != null) {
      LOG.debug("A client disconnected during the response", failure);
      return null;
    }
    Problem problem = located(failure, request);
    setRetryAfter(problem, failure, response);
    if (failure instanceof ErrorResponse error) { // For example Allow for 405.
      error.getHeaders().forEach((name, values) -> response.setHeader(name, joined(values)));
    }
    // If the request body is truncated, Tomcat discards the response and dispatches to ErrorPage.
    request.setAttribute(Problems.ATTRIBUTE, problem);
    if (response.isCommitted()) {
      if (response.getStatus() < HttpStatus.BAD_REQUEST.value()) {
        // The client can only see the failure if the response has no regular end.
        ClientConnection.current().ifPresent(connection -> connection.cut(EndReason.FAILED));
      }
      return null;
    }
    return problems.answer(problem, request, response);
  }

  private static void setRetryAfter(
      Problem problem, Throwable failure, HttpServletResponse response) {
    if (problem.status() == HttpStatus.SERVICE_UNAVAILABLE.value()
        || problem.status() == HttpStatus.TOO_MANY_REQUESTS.value()) {
      response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(retrySeconds(failure)));
    }
  }

  private static long retrySeconds(Throwable failure) {
    return failure instanceof WorkBusyException busy
        ? busy.retryAfter().toSeconds()
        : IntakeBusyException.RETRY_SECONDS;
  }

  /** Writes the answer to a request that failed outside of Spring MVC. */
  public void write(Exception failure, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Problem problem = located(failure, request);
    setRetryAfter(problem, failure, response);
    problems.write(problem, request, response);
  }

  /**
   * Shows the problem in a page that has more to show, with the status that it would have alone.
   */
  public void show(Exception failure, Model model, HttpServletResponse response) {
    Problem problem = problem(failure);
    model.addAttribute("problem", PageProblem.withPages(problem));
    setRetryAfter(problem, failure, response);
    response.setStatus(problem.status());
  }

  /** Sets the status of a form that is shown again, with messages at its fields. */
  public static void showAgain(HttpServletResponse response) {
    response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
  }

  private Problem located(Throwable failure, HttpServletRequest request) {
    return problem(failure, request)
        .withDefaultWhere(request.getMethod() + " " + request.getRequestURI());
  }

  /** A page whose address has something else than a number does not exist. */
  private Problem problem(Throwable failure, HttpServletRequest request) {
    return failure instanceof MethodArgumentTypeMismatchException mismatch
            && mismatch.getParameter().hasParameterAnnotation(PathVariable.class)
            && !PageProblem.isApi(request.getRequestURI())
        ? Problem.of(
            HttpStatus.NOT_FOUND,
            "Not found",
            "There is no page at this address: '" + mismatch.getValue() + "' is not a number",
            "",
            SEE_API)
        : problem(failure);
  }

  /** The problem for an exception. */
  public Problem problem(Throwable failure) {
    // Spring, Thymeleaf and the cache wrap the exceptions of these limits.
    OutOfMemoryError full = cause(failure, OutOfMemoryError.class);
    if (full != null) {
      return outOfHeap(full);
    }
    FileCountLimitExceededException count = cause(failure, FileCountLimitExceededException.class);
    if (count != null) {
      return UploadProblems.tooManyParts(count);
    }
    SizeException size = cause(failure, SizeException.class);
    if (size != null) {
      return UploadProblems.tooLarge(size.getPermittedSize());
    }
    FileUploadException upload = cause(failure, FileUploadException.class);
    if (upload != null) {
      return UploadProblems.multipart(upload);
    }
    Problem problem = LiveProblems.of(failure);
    if (problem == null) {
      problem = UploadProblems.of(failure);
    }
    return problem != null ? problem : other(failure);
  }

  private Problem other(Throwable failure) {
    return switch (failure) {
      case RefusedRequestException refused -> refused.problem(status(refused.kind()));
      case SettingsRefusedException settings ->
          problem(
              RefusedRequestException.badSettings(
                  String.valueOf(settings.getMessage()), settings.where(), settings.next()));
      case ReplaysBusyException busy ->
          problem(
              RefusedRequestException.busy(
                  String.valueOf(busy.getMessage()),
                  "Retry when one has ended, or cancel one with DELETE."));
      case StoreUnavailableException store -> unavailable(store);
      case WorkBusyException busy ->
          problem(
              RefusedRequestException.busy(
                  String.valueOf(busy.getMessage()),
                  "Retry in "
                      + busy.retryAfter().toSeconds()
                      + " s. Other pages are not affected."));
      case WorkCancelledException _ ->
          Problem.of(
              HttpStatus.SERVICE_UNAVAILABLE,
              "Stopping",
              "The server is stopping",
              "",
              "Retry when it is running again.");
      case SnapshotPendingException pending ->
          Problem.of(
              HttpStatus.SERVICE_UNAVAILABLE,
              "Not available yet",
              String.valueOf(pending.getMessage()),
              "",
              "Nothing is lost. Retry in a few seconds; the dashboard shows the progress.");
      case DamagedSnapshotException damaged ->
          Problem.of(
              HttpStatus.INTERNAL_SERVER_ERROR,
              "Damaged",
              damaged.what(),
              "snapshot " + damaged.id(),
              "Other snapshots are not affected. Check the disk.");
      case MethodArgumentTypeMismatchException mismatch -> mismatch(mismatch);
      case MethodArgumentConversionNotSupportedException file -> // The only one: of a part.
          Problem.of(
              HttpStatus.BAD_REQUEST,
              "Bad parameter",
              file.getName() + " is a file",
              "parameter " + file.getName(),
              "Send it as text: without a file name in the part of the form.");
      case BindException invalid -> mismatch(invalid);
      case HttpMessageNotReadableException unreadable -> UnreadableBody.problem(unreadable);
      case InvalidParameterException unreadable ->
          Problem.of(
              HttpStatus.BAD_REQUEST,
              "Bad parameter",
              "The parameters cannot be read: " + unreadable.getMessage(),
              "",
              "Percent-encode them as UTF-8 and send at most 1100.");
      case RequestRejectedException _ ->
          Problem.ofMalformedRequest(); // Names of headers, parameters.
      case BadRequestException malformed ->
          Problem.of(
              HttpStatus.BAD_REQUEST,
              "Malformed body",
              "The body does not have the form that the headers say: " + malformed.getMessage(),
              "the body",
              "Check the chunks of the transfer encoding and the length.");
      case NoResourceFoundException missing ->
          Problem.of(
              HttpStatus.NOT_FOUND,
              "Not found",
              PageProblem.isApi("/" + missing.getResourcePath())
                  ? "There is no request "
                      + missing.getHttpMethod()
                      + " /"
                      + missing.getResourcePath()
                  : "There is no page at this address",
              "",
              SEE_API);
      case ErrorResponse error -> springProblem(error);
      case CompletionException wrapped when wrapped.getCause() != null ->
          problem(wrapped.getCause());
      default -> {
        LOG.atLevel(hasLeft(failure) ? Level.DEBUG : Level.ERROR)
            .setCause(failure)
            .log("A request failed");
        yield Problem.of(
            HttpStatus.INTERNAL_SERVER_ERROR,
            "Internal error",
            "The server failed",
            "",
            "The server's log contains the stack trace. Please report it, with the file if you can"
                + " share it.");
      }
    };
  }

  /** The exception itself or the first of its causes that has this type; null if there is none. */
  public static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> type) {
    Throwable cause = failure;
    // The limit is for causes that form a cycle.
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
      cause = cause.getCause();
    }
    return null;
  }

  /** Whether the failure is that of the client's connection; Spring and Jackson wrap it. */
  private static boolean hasLeft(Throwable failure) {
    return cause(failure, ClientAbortException.class) != null
        || cause(failure, SocketException.class) != null
        || cause(failure, AsyncRequestNotUsableException.class) != null;
  }

  private static Problem outOfHeap(OutOfMemoryError full) {
    LOG.error("A request ran out of heap", full);
    return Problem.of(
        HttpStatus.SERVICE_UNAVAILABLE,
        "Out of heap",
        "The request needs more Java heap than is free; the server has "
            + new DisplayFormat().bytes(Runtime.getRuntime().maxMemory()),
        "",
        "Retry when fewer requests are in progress, or start the server with a larger -Xmx.");
  }

  /** The status for a refused request. */
  public static HttpStatus status(RefusedRequestException.Kind kind) {
    return switch (kind) {
      case NOT_FOUND -> HttpStatus.NOT_FOUND;
      case BAD_PARAMETER, NOT_RECORDED, EVIDENCE, NOTHING_UPLOADED, SETTINGS, TEXT ->
          HttpStatus.BAD_REQUEST;
      case TEXT_TOO_LONG -> HttpStatus.CONTENT_TOO_LARGE;
      case NOT_REPLAYABLE, NOT_PLANNABLE -> HttpStatus.UNPROCESSABLE_CONTENT;
      case BUSY -> HttpStatus.SERVICE_UNAVAILABLE;
      case UNSUPPORTED_ENCODING -> HttpStatus.UNSUPPORTED_MEDIA_TYPE;
      case OUT_OF_DEVICE_MEMORY -> HttpStatus.INSUFFICIENT_STORAGE;
    };
  }

  private static Problem mismatch(MethodArgumentTypeMismatchException mismatch) {
    return mismatch(mismatch.getName(), mismatch.getValue(), mismatch.getRequiredType());
  }

  /** Parameters that are read together, into an object. */
  private static Problem mismatch(BindException invalid) {
    FieldError first = invalid.getFieldErrors().getFirst();
    String name = first.getField();
    return mismatch(name, first.getRejectedValue(), invalid.getFieldType(name));
  }

  private static Problem mismatch(
      String name, @Nullable Object rejectedValue, @Nullable Class<?> type) {
    String value = String.valueOf(rejectedValue);
    boolean isNumber = WHOLE_NUMBER.matcher(value).matches();
    boolean isLong = long.class.equals(type);
    boolean isChoice = Boolean.class.equals(type) || boolean.class.equals(type);
    return Problem.of(
        HttpStatus.BAD_REQUEST,
        "Bad parameter",
        isChoice
            ? name + " is " + value
            : name + (isNumber ? " is out of range: " : " is not a whole number: ") + value,
        "parameter " + name,
        isChoice
            ? "Allowed: true or false."
            : isNumber
                ? "The largest number is " + (isLong ? Long.MAX_VALUE : Integer.MAX_VALUE) + "."
                : "Use a whole number.");
  }

  private static Problem unavailable(StoreUnavailableException store) {
    HttpStatus status =
        switch (store.reason()) {
          case DISK_FULL -> HttpStatus.INSUFFICIENT_STORAGE;
          case NOT_READ, NOT_WRITTEN -> HttpStatus.SERVICE_UNAVAILABLE;
        };
    String title =
        store.reason() == StoreUnavailableException.Reason.NOT_READ
            ? "Cannot read"
            : "Cannot store";
    return Problem.of(status, title, SentenceCase.of(store.what()), store.where(), store.next());
  }

  private static String joined(List<String> values) {
    return String.join(", ", values);
  }

  /** Requests that Spring rejects: wrong method, unknown path, unacceptable type. */
  private static Problem springProblem(ErrorResponse error) {
    ProblemDetail detail = error.getBody();
    HttpStatus status = HttpStatus.valueOf(error.getStatusCode().value());
    String title = detail.getTitle() == null ? status.getReasonPhrase() : detail.getTitle();
    String what = detail.getDetail() == null ? title : detail.getDetail();
    return Problem.of(status, title, what, "", SEE_API);
  }
}
