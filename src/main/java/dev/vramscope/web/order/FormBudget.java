package dev.vramscope.web.order;

import dev.vramscope.web.problem.PageProblem;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.MultipartBody;
import dev.vramscope.web.request.Requesters;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * The heap for the fields of forms, of which Tomcat takes as much as a request announces before the
 * first byte arrives. One client gets at most half of it.
 */
@Component
final class FormBudget {
  private static final int KIB = 1 << 10;

  /** Smaller forms are not counted: those of all connections together fit into any heap. */
  private static final long SMALL_BYTES = 16 * KIB;

  /** What Tomcat accepts ({@code max-http-form-post-size}). */
  private static final long MAX_BYTES = 32L << 20;

  private static final int TOTAL =
      (int) (Math.max(2 * MAX_BYTES, Runtime.getRuntime().maxMemory() / 8) / KIB);

  private final Semaphore free = new Semaphore(TOTAL, /* fair= */ true);
  private final Map<String, Integer> byClient = new ConcurrentHashMap<>();
  private final Duration maxWait;

  FormBudget(WorkSettings settings) {
    maxWait = settings.maxWait();
  }

  /** A part of the heap, given back on close. */
  interface Reservation extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Waits for the heap of a request's form.
   *
   * @throws RefusedRequestException if others need it for too long, or the client has its share
   */
  Reservation reserve(HttpServletRequest request) throws InterruptedException {
    int kibibytes = (int) (bytes(request) / KIB);
    if (kibibytes == 0) {
      return () -> {};
    }
    String client = Requesters.client(request);
    if (byClient.merge(client, kibibytes, Integer::sum) > TOTAL / 2) {
      giveBack(client, kibibytes);
      throw RefusedRequestException.busy(
          "The server receives at most "
              + TOTAL / 2 / KIB
              + " MiB of forms from one client at the same time",
          "Send them one after the other, or a text as such: curl -H 'Content-Type: text/plain'.");
    }
    try {
      if (!free.tryAcquire(kibibytes, maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
        throw busy("The server receives too many other forms");
      }
    } catch (InterruptedException | RuntimeException failed) {
      giveBack(client, kibibytes);
      throw failed;
    }
    return () -> {
      free.release(kibibytes);
      giveBack(client, kibibytes);
    };
  }

  private void giveBack(String client, int kibibytes) {
    byClient.computeIfPresent(client, (_, sum) -> sum == kibibytes ? null : sum - kibibytes);
  }

  private static RefusedRequestException busy(String what) {
    return RefusedRequestException.busy(what, "Retry in a few seconds.");
  }

  /** The body is a text and read as a stream, although curl declares it to be a form. */
  private static final String STREAMED = "/api/v1/explain";

  /** Files of an upload are not in the heap; those of a page are small, and counted. */
  private static long bytes(HttpServletRequest request) {
    String type =
        request.getContentType() == null ? "" : request.getContentType().toLowerCase(Locale.ROOT);
    boolean isForm =
        type.startsWith("application/x-www-form-urlencoded")
            || (MultipartBody.isOf(request) && !PageProblem.isApi(request.getRequestURI()));
    long length = request.getContentLengthLong();
    if (!isForm
        || request.getRequestURI().equals(STREAMED)
        || (length >= 0 && length <= SMALL_BYTES)) {
      return 0;
    }
    return length < 0 ? MAX_BYTES : Math.min(length, MAX_BYTES);
  }
}
