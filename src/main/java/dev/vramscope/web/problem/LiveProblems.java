package dev.vramscope.web.problem;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.live.AllocatorGoneException;
import dev.vramscope.live.HostingRefusedException;
import dev.vramscope.live.UnknownAllocatorException;
import dev.vramscope.live.UnknownBlockException;
import dev.vramscope.live.feed.TooManyViewersException;
import dev.vramscope.live.lab.ScriptException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** The problems of hosted allocators and their devices. */
final class LiveProblems {
  private static final String LIST_ALLOCATORS =
      "GET /api/v1/allocators lists the hosted allocators; POST hosts a new one.";
  private static final String CLOSE_IT =
      "Its memory is lost; other allocators are not affected. Close it with DELETE.";

  private LiveProblems() {}

  /** The problem for an exception; null if it is not one of a hosted allocator. */
  static @Nullable Problem of(Throwable failure) {
    return switch (failure) {
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
      case ScriptException script ->
          Problem.of(
              HttpStatus.BAD_REQUEST,
              "Script not accepted",
              String.valueOf(script.getMessage()),
              script.where(),
              script.next());
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
      default -> null;
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
}
