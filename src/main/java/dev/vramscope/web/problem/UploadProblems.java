package dev.vramscope.web.problem;

import dev.vramscope.format.FormatException;
import dev.vramscope.intake.IntakeBusyException;
import dev.vramscope.intake.UploadInterruptedException;
import dev.vramscope.model.SentenceCase;
import dev.vramscope.web.connection.ClientConnection;
import dev.vramscope.web.connection.EndReason;
import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.fileupload.FileUploadException;
import org.apache.tomcat.util.http.fileupload.impl.FileCountLimitExceededException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.multipart.MaxUploadSizeExceededException;

/** The problems of uploads: unreadable files, limits, interrupted requests. */
final class UploadProblems {
  /** Where a log goes, for a client of the REST API; {@link PageProblem} has it for a page. */
  static final String EXPLAIN = "POST it to /api/v1/explain, which explains logs.";

  /** Where a snapshot goes. */
  static final String STORE = "POST it to /api/v1/snapshots.";

  private UploadProblems() {}

  /** The problem for an exception; null if it is not one of an upload. */
  static @Nullable Problem of(Throwable failure) {
    return switch (failure) {
      case FormatException format ->
          Problem.of(
              status(format.reason()),
              title(format.reason()),
              SentenceCase.of(format.what()),
              format.where(),
              next(format));
      case MaxUploadSizeExceededException tooLarge -> tooLarge(tooLarge.getMaxUploadSize());
      case UploadInterruptedException silent when isTimeout(silent) ->
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
      default -> null;
    };
  }

  /** Tomcat wraps the exception of its own limit. */
  private static boolean isTimeout(UploadInterruptedException failure) {
    Throwable cause = failure.getCause();
    return cause instanceof SocketTimeoutException
        || (cause != null && cause.getCause() instanceof SocketTimeoutException);
  }

  static Problem tooManyParts(FileCountLimitExceededException count) {
    return Problem.of(
        HttpStatus.CONTENT_TOO_LARGE,
        "Too many parts",
        "The multipart body has more than " + count.getLimit() + " files and fields",
        "multipart body",
        "Nothing was stored. Send the files in several requests, or raise"
            + " server.tomcat.max-part-count and server.tomcat.max-parameter-count.");
  }

  static Problem tooLarge(long limitBytes) {
    return Problem.of(
        HttpStatus.CONTENT_TOO_LARGE,
        "Too large",
        "The multipart body is larger than the server accepts",
        "limit " + limitBytes + " bytes",
        "Send a single file as the request body, or raise"
            + " spring.servlet.multipart.max-file-size.");
  }

  /** What to do about a file that was refused, over REST. */
  static String next(FormatException refused) {
    String first =
        switch (refused.reason()) {
          case TEXT -> EXPLAIN;
          case SNAPSHOT -> STORE;
          case FORBIDDEN_OPCODE, MALFORMED, TRUNCATED, TOO_LARGE, NOT_A_SNAPSHOT -> "";
        };
    return (first + " " + refused.next()).strip();
  }

  private static HttpStatus status(FormatException.Reason reason) {
    return switch (reason) {
      case TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
      case FORBIDDEN_OPCODE, MALFORMED, TRUNCATED, NOT_A_SNAPSHOT, TEXT, SNAPSHOT ->
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
      case TEXT -> "A text, not a memory snapshot";
      case SNAPSHOT -> "A memory snapshot, not a log";
    };
  }

  private static Problem interrupted(String detail) {
    Optional<EndReason> ended = ClientConnection.current().flatMap(ClientConnection::ended);
    if (ended.isPresent()) {
      return Problem.of(
          ended.get() == EndReason.TOO_SLOW || ended.get() == EndReason.SILENT
              ? HttpStatus.REQUEST_TIMEOUT
              : HttpStatus.SERVICE_UNAVAILABLE,
          "Upload ended by the server",
          SentenceCase.of(ended.get().text()) + ". " + detail,
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

  /** A multipart body that the server cannot divide into its parts. */
  static Problem multipart(FileUploadException broken) {
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
}
