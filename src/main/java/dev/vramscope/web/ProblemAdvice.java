package dev.vramscope.web;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.format.FormatException;
import dev.vramscope.intake.IntakeBusyException;
import dev.vramscope.intake.UploadInterruptedException;
import dev.vramscope.live.AllocatorGoneException;
import dev.vramscope.live.HostingRefusedException;
import dev.vramscope.live.UnknownAllocatorException;
import dev.vramscope.live.UnknownBlockException;
import dev.vramscope.live.feed.TooManyViewersException;
import dev.vramscope.store.DamagedSnapshotException;
import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.StoreUnavailableException;
import dev.vramscope.web.connection.ClientConnection;
import dev.vramscope.web.connection.EndReason;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.apache.tomcat.util.http.fileupload.FileUploadException;
import org.apache.tomcat.util.http.fileupload.impl.FileCountLimitExceededException;
import org.apache.tomcat.util.http.fileupload.impl.SizeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Maps every exception to its problem response. */
@ControllerAdvice
class ProblemAdvice {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

  private static final String LIST_ALLOCATORS =
      "GET /api/v1/allocators lists the hosted allocators; POST hosts a new one.";
  private static final String SEE_API =
      "See /api/docs for the REST API, or start at the dashboard (/).";
  private static final String CLOSE_IT =
      "Its memory is lost; other allocators are not affected. Close it with DELETE.";

  private static final int MAX_CAUSES = 20;
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]+");

  private final Problems problems;

  ProblemAdvice(Problems problems) {
    this.problems = problems;
  }

  @ExceptionHandler(Throwable.class)
  @Nullable ModelAndView answer(
      Throwable failure, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (failure instanceof AsyncRequestNotUsableException) {
      return null; // The client disconnected during the response.
    }
    Problem problem =
        problem(failure, request)
            .withDefaultWhere(request.getMethod() + " " + request.getRequestURI());
    if (problem.status() == HttpStatus.SERVICE_UNAVAILABLE.value()
        || problem.status() == HttpStatus.TOO_MANY_REQUESTS.value()) {
      response.setHeader(
          HttpHeaders.RETRY_AFTER, String.valueOf(IntakeBusyException.RETRY_SECONDS));
    }
    if (failure instanceof ErrorResponse known) { // For example Allow for 405.
      known.getHeaders().forEach((name, values) -> response.setHeader(name, joined(values)));
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
  Problem problem(Throwable failure) {
    // Spring, Thymeleaf and the cache wrap the exceptions of these limits.
    OutOfMemoryError full = cause(failure, OutOfMemoryError.class);
    if (full != null) {
      return outOfHeap(full);
    }
    FileCountLimitExceededException count = cause(failure, FileCountLimitExceededException.class);
    if (count != null) {
      return tooManyParts(count);
    }
    SizeException size = cause(failure, SizeException.class);
    if (size != null) {
      return tooLargeMultipart(size.getPermittedSize());
    }
    return switch (failure) {
      case RefusedRequestException refused -> refused.problem(status(refused.kind()));
      case FormatException format ->
          Problem.of(
              status(format.reason()),
              title(format.reason()),
              sentence(format.what()),
              format.where(),
              format.next());
      case StoreUnavailableException store -> unavailable(store);
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
      case MaxUploadSizeExceededException tooLarge ->
          tooLargeMultipart(tooLarge.getMaxUploadSize());
      case MethodArgumentTypeMismatchException mismatch -> mismatch(mismatch);
      case HttpMessageNotReadableException unreadable -> UnreadableBody.problem(unreadable);
      case UnknownAllocatorException unknown ->
          Problem.of(
              HttpStatus.NOT_FOUND,
              "Not found",
              String.valueOf(unknown.getMessage()),
              "",
              LIST_ALLOCATORS);
      case TooManyViewersException excess ->
          Problem.of(
              HttpStatus.SERVICE_UNAVAILABLE,
              "Too many viewers",
              String.valueOf(excess.getMessage()),
              "vramscope.live.max-viewers=" + excess.maxViewers(),
              "Close another live page, or start the server with a higher limit.");
      case AllocatorGoneException gone ->
          Problem.of(
              gone.isLost() ? HttpStatus.CONFLICT : HttpStatus.GONE,
              gone.isLost() ? "Device lost" : "Closed",
              String.valueOf(gone.getMessage()),
              "",
              gone.isLost() ? CLOSE_IT : LIST_ALLOCATORS);
      case UnknownBlockException unknown ->
          Problem.of(
              HttpStatus.NOT_FOUND,
              "Not found",
              String.valueOf(unknown.getMessage()),
              "",
              "It is already free, or was not allocated through this API. Workloads free their own"
                  + " blocks.");
      case HostingRefusedException refused ->
          Problem.of(
              status(refused.kind()),
              title(refused.kind()),
              String.valueOf(refused.getMessage()),
              refused.where(),
              refused.next());
      case ConfigurationException settings ->
          Problem.of(
              HttpStatus.BAD_REQUEST,
              "Settings not accepted",
              String.valueOf(settings.getMessage()),
              "settings",
              "Use the syntax of PYTORCH_CUDA_ALLOC_CONF; the message is PyTorch's.");
      case DeviceLostException lost ->
          Problem.of(
              HttpStatus.CONFLICT, "Device lost", String.valueOf(lost.getMessage()), "", CLOSE_IT);
      case DeviceException fault ->
          Problem.of(
              HttpStatus.SERVICE_UNAVAILABLE,
              "Device error",
              String.valueOf(fault.getMessage()),
              "",
              "The allocator's list of failures has the state at that time. Retry, or close the"
                  + " allocator.");
      case InvalidParameterException unreadable ->
          Problem.of(
              HttpStatus.BAD_REQUEST,
              "Bad parameter",
              "The parameters cannot be read: " + unreadable.getMessage(),
              "",
              "Percent-encode them as UTF-8 and send at most 1100.");
      case FileUploadException broken -> multipart(broken);
      case RequestRejectedException _ -> RefusedAccess.malformed(); // Names of headers, parameters.
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
      case ErrorResponse known -> known(known);
      case CompletionException wrapped when wrapped.getCause() != null ->
          problem(wrapped.getCause());
      case UploadInterruptedException silent
          when silent.getCause() instanceof SocketTimeoutException ->
          Problem.of(
              HttpStatus.REQUEST_TIMEOUT,
              "Upload timed out",
              "The client sent nothing for too long. " + silent.getMessage(),
              "server.tomcat.connection-timeout",
              "Upload the file again.");
      case UploadInterruptedException cut -> interrupted(String.valueOf(cut.getMessage()));
      case EOFException cut -> interrupted(String.valueOf(cut.getMessage()));
      case ClientAbortException cut -> interrupted(String.valueOf(cut.getMessage()));
      case IntakeBusyException busy ->
          Problem.of(
              busy.isShareUsed() ? HttpStatus.TOO_MANY_REQUESTS : HttpStatus.SERVICE_UNAVAILABLE,
              "Busy",
              String.valueOf(busy.getMessage()),
              "",
              "Retry in a few seconds.");
      default -> {
        LOG.error("A request failed", failure);
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
  private static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> type) {
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

  private static Problem tooManyParts(FileCountLimitExceededException count) {
    return Problem.of(
        HttpStatus.CONTENT_TOO_LARGE,
        "Too many parts",
        "The multipart body has more than " + count.getLimit() + " files and fields",
        "multipart body",
        "Nothing was stored. Send the files in several requests, or raise"
            + " server.tomcat.max-part-count and server.tomcat.max-parameter-count.");
  }

  private static Problem tooLargeMultipart(long limitBytes) {
    return Problem.of(
        HttpStatus.CONTENT_TOO_LARGE,
        "Too large",
        "The multipart body is larger than the server accepts",
        "limit " + limitBytes + " bytes",
        "Send a single file as the request body, or raise"
            + " spring.servlet.multipart.max-file-size.");
  }

  private static HttpStatus status(RefusedRequestException.Kind kind) {
    return switch (kind) {
      case NOT_FOUND -> HttpStatus.NOT_FOUND;
      case BAD_PARAMETER, NOTHING_UPLOADED -> HttpStatus.BAD_REQUEST;
      case UNSUPPORTED_ENCODING -> HttpStatus.UNSUPPORTED_MEDIA_TYPE;
      case OUT_OF_DEVICE_MEMORY -> HttpStatus.INSUFFICIENT_STORAGE;
    };
  }

  private static HttpStatus status(HostingRefusedException.Kind kind) {
    return switch (kind) {
      case LIMIT -> HttpStatus.CONFLICT;
      case REQUEST -> HttpStatus.BAD_REQUEST;
      case DEVICE -> HttpStatus.SERVICE_UNAVAILABLE;
    };
  }

  private static String title(HostingRefusedException.Kind kind) {
    return switch (kind) {
      case LIMIT -> "Limit reached";
      case REQUEST -> "Bad parameter";
      case DEVICE -> "Device not usable";
    };
  }

  private static Problem mismatch(MethodArgumentTypeMismatchException mismatch) {
    String value = String.valueOf(mismatch.getValue());
    boolean isNumber = WHOLE_NUMBER.matcher(value).matches();
    boolean isLong = long.class.equals(mismatch.getRequiredType());
    return Problem.of(
        HttpStatus.BAD_REQUEST,
        "Bad parameter",
        mismatch.getName() + (isNumber ? " is out of range: " : " is not a whole number: ") + value,
        "parameter " + mismatch.getName(),
        isNumber
            ? "The largest number is " + (isLong ? Long.MAX_VALUE : Integer.MAX_VALUE) + "."
            : "Use a whole number.");
  }

  private static HttpStatus status(FormatException.Reason reason) {
    return switch (reason) {
      case TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
      case FORBIDDEN_OPCODE, MALFORMED, TRUNCATED, NOT_A_SNAPSHOT ->
          HttpStatus.UNPROCESSABLE_CONTENT;
    };
  }

  private static String title(FormatException.Reason reason) {
    return switch (reason) {
      case TOO_LARGE -> "Too large";
      case FORBIDDEN_OPCODE -> "Forbidden opcode";
      case MALFORMED -> "Malformed file";
      case TRUNCATED -> "The file ends too early";
      case NOT_A_SNAPSHOT -> "Not a memory snapshot";
    };
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
    return Problem.of(status, title, sentence(store.what()), store.where(), store.next());
  }

  private static Problem interrupted(String detail) {
    Optional<EndReason> ended = ClientConnection.current().flatMap(ClientConnection::ended);
    if (ended.isPresent()) {
      return Problem.of(
          ended.get() == EndReason.TOO_SLOW
              ? HttpStatus.REQUEST_TIMEOUT
              : HttpStatus.SERVICE_UNAVAILABLE,
          "Upload ended by the server",
          sentence(ended.get().text()) + ". " + detail,
          "",
          "Nothing was stored. Upload the file again.");
    }
    return Problem.of(
        HttpStatus.BAD_REQUEST,
        "Upload interrupted",
        detail,
        "",
        "Nothing was stored. Upload the file again.");
  }

  private static Problem multipart(FileUploadException broken) {
    String why = String.valueOf(broken.getMessage());
    return why.contains("No space left on device")
        ? Problem.of(
            HttpStatus.INSUFFICIENT_STORAGE,
            "Cannot store",
            "The disk with the server's temporary files is full",
            "multipart body",
            "Nothing was stored. Free disk space, or send a single file as the request body.")
        : Problem.of(
            HttpStatus.BAD_REQUEST,
            "Broken multipart body",
            "The multipart body cannot be read: " + why,
            "multipart body",
            "Nothing was stored. Retry, or send a single file as the request body.");
  }

  private static String joined(List<String> values) {
    return String.join(", ", values);
  }

  /** Requests that Spring rejects: wrong method, unknown path, unacceptable type. */
  private static Problem known(ErrorResponse known) {
    ProblemDetail detail = known.getBody();
    HttpStatus status = HttpStatus.valueOf(known.getStatusCode().value());
    String title = detail.getTitle() == null ? status.getReasonPhrase() : detail.getTitle();
    String what = detail.getDetail() == null ? title : detail.getDetail();
    return Problem.of(status, title, what, "", SEE_API);
  }

  private static String sentence(String clause) {
    return clause.isEmpty()
        ? clause
        : Character.toUpperCase(clause.charAt(0)) + clause.substring(1);
  }
}
