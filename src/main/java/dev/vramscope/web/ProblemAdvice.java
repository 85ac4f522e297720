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
import dev.vramscope.store.StoreUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.apache.tomcat.util.http.fileupload.FileUploadException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.servlet.ModelAndView;

/** The one place where a failure gets its status and its words. */
@ControllerAdvice
class ProblemAdvice {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

  private static final String LIST_ALLOCATORS =
      "GET /api/v1/allocators lists those that are hosted; POST there hosts another.";
  private static final String CLOSE_IT =
      "Its memory is gone; other allocators are not affected. Close it with DELETE.";

  private final Problems problems;

  ProblemAdvice(Problems problems) {
    this.problems = problems;
  }

  @ExceptionHandler(Throwable.class)
  @Nullable ModelAndView answer(
      Throwable failure, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (failure instanceof AsyncRequestNotUsableException) {
      return null; // The client went away while it was being answered.
    }
    Problem problem = problem(failure).orAt(request.getMethod() + " " + request.getRequestURI());
    if (failure instanceof ErrorResponse known) { // Such as Allow, which goes with 405.
      known.getHeaders().forEach((name, values) -> response.setHeader(name, joined(values)));
    }
    // When a body breaks off, Tomcat closes the answer and asks ErrorPage for another.
    request.setAttribute(Problems.ATTRIBUTE, problem);
    return response.isCommitted() ? null : problems.answer(problem, request, response);
  }

  /** What a failure looks like to a client. */
  Problem problem(Throwable failure) {
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
      case MaxUploadSizeExceededException tooLarge ->
          Problem.of(
              HttpStatus.CONTENT_TOO_LARGE,
              "Too large",
              "The multipart body is larger than this server takes",
              "limit " + tooLarge.getMaxUploadSize() + " bytes",
              "Send the file alone as the request's body, or raise"
                  + " spring.servlet.multipart.max-file-size.");
      case MethodArgumentTypeMismatchException mismatch -> mismatch(mismatch);
      case HttpMessageNotReadableException unreadable -> UnreadableBody.problem(unreadable);
      case UnknownAllocatorException unknown ->
          Problem.of(
              HttpStatus.NOT_FOUND,
              "Not found",
              String.valueOf(unknown.getMessage()),
              "",
              LIST_ALLOCATORS);
      case TooManyViewersException crowded ->
          Problem.of(
              HttpStatus.SERVICE_UNAVAILABLE,
              "Too many viewers",
              String.valueOf(crowded.getMessage()),
              "vramscope.live.max-viewers=" + crowded.maxViewers(),
              "Close a live page somewhere, or start the server with a larger bound.");
      case AllocatorGoneException gone ->
          Problem.of(
              gone.isLost() ? HttpStatus.CONFLICT : HttpStatus.GONE,
              gone.isLost() ? "Card lost" : "Closed",
              String.valueOf(gone.getMessage()),
              "",
              gone.isLost() ? CLOSE_IT : LIST_ALLOCATORS);
      case UnknownBlockException unknown ->
          Problem.of(
              HttpStatus.NOT_FOUND,
              "Not found",
              String.valueOf(unknown.getMessage()),
              "",
              "It was freed already, or was not allocated here. Blocks of workloads are freed by"
                  + " them.");
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
              "Write them as PYTORCH_CUDA_ALLOC_CONF has them; the message is PyTorch's.");
      case DeviceLostException lost ->
          Problem.of(
              HttpStatus.CONFLICT, "Card lost", String.valueOf(lost.getMessage()), "", CLOSE_IT);
      case DeviceException fault ->
          Problem.of(
              HttpStatus.SERVICE_UNAVAILABLE,
              "The card refused",
              String.valueOf(fault.getMessage()),
              "",
              "The allocator's incidents have the state at that moment. Try again, or close it.");
      case InvalidParameterException unreadable ->
          Problem.of(
              HttpStatus.BAD_REQUEST,
              "Bad parameter",
              "The parameters cannot be read: " + unreadable.getMessage(),
              "",
              "Percent-encode them as UTF-8, and send at most 1000.");
      case FileUploadException broken -> multipart(broken);
      case ErrorResponse known -> known(known);
      case CompletionException wrapped when wrapped.getCause() != null ->
          problem(wrapped.getCause());
      case UploadInterruptedException cut -> interrupted(String.valueOf(cut.getMessage()));
      case EOFException cut -> interrupted(String.valueOf(cut.getMessage()));
      case ClientAbortException cut -> interrupted(String.valueOf(cut.getMessage()));
      case IntakeBusyException busy ->
          Problem.of(
              HttpStatus.SERVICE_UNAVAILABLE,
              "Busy",
              String.valueOf(busy.getMessage()),
              "",
              "Send it again in a moment.");
      case OutOfMemoryError full -> {
        LOG.error("A request needed more heap than there is", full);
        yield Problem.of(
            HttpStatus.SERVICE_UNAVAILABLE,
            "Out of heap",
            "This needs more Java heap than the server has ("
                + new DisplayFormat().bytes(Runtime.getRuntime().maxMemory())
                + ")",
            "",
            "Start the server with a larger -Xmx.");
      }
      default -> {
        LOG.error("A request failed", failure);
        yield Problem.of(
            HttpStatus.INTERNAL_SERVER_ERROR,
            "Our fault",
            "The server failed",
            "",
            "The server's log has the stack. Please report it, with the file if you may share it.");
      }
    };
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
      case LIMIT -> "Bound reached";
      case REQUEST -> "Bad parameter";
      case DEVICE -> "Card not usable";
    };
  }

  private static Problem mismatch(MethodArgumentTypeMismatchException mismatch) {
    boolean isLong = long.class.equals(mismatch.getRequiredType());
    return Problem.of(
        HttpStatus.BAD_REQUEST,
        "Bad parameter",
        mismatch.getName() + " is not a whole number: " + mismatch.getValue(),
        "parameter " + mismatch.getName(),
        "Give a whole number between "
            + (isLong ? Long.MIN_VALUE : Integer.MIN_VALUE)
            + " and "
            + (isLong ? Long.MAX_VALUE : Integer.MAX_VALUE)
            + ".");
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
          case FAILED -> HttpStatus.SERVICE_UNAVAILABLE;
        };
    return Problem.of(status, "Cannot store", sentence(store.what()), store.where(), store.next());
  }

  private static Problem interrupted(String detail) {
    return Problem.of(
        HttpStatus.BAD_REQUEST,
        "Upload interrupted",
        detail,
        "",
        "Nothing was stored. Send it again.");
  }

  private static Problem multipart(FileUploadException broken) {
    String why = String.valueOf(broken.getMessage());
    return why.contains("No space left on device")
        ? Problem.of(
            HttpStatus.INSUFFICIENT_STORAGE,
            "Cannot store",
            "The disk with the server's temporary files is full",
            "multipart body",
            "Nothing was stored. Make room there, or send the file alone as the request's body.")
        : Problem.of(
            HttpStatus.BAD_REQUEST,
            "Broken multipart body",
            "The multipart body cannot be read: " + why,
            "multipart body",
            "Nothing was stored. Send it again, or the file alone as the request's body.");
  }

  private static String joined(List<String> values) {
    return String.join(", ", values);
  }

  /** What Spring refuses by itself: wrong method, unknown path, unacceptable type. */
  private static Problem known(ErrorResponse known) {
    ProblemDetail detail = known.getBody();
    HttpStatus status = HttpStatus.valueOf(known.getStatusCode().value());
    String title = detail.getTitle() == null ? status.getReasonPhrase() : detail.getTitle();
    String what = detail.getDetail() == null ? title : detail.getDetail();
    return Problem.of(
        status, title, what, "", "/api/docs describes what can be asked; / is the dashboard.");
  }

  private static String sentence(String clause) {
    return clause.isEmpty()
        ? clause
        : Character.toUpperCase(clause.charAt(0)) + clause.substring(1);
  }
}
