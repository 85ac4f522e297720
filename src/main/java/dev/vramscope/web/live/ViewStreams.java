package dev.vramscope.web.live;

import dev.vramscope.live.feed.FeedUpdate;
import dev.vramscope.live.feed.Viewer;
import dev.vramscope.web.problem.Problem;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Writes the server-sent events of one or several viewers to a response. Thread-safe. */
final class ViewStreams {
  /** Interval of keep-alive comments; writing one detects a closed connection. */
  private static final long KEEP_ALIVE_SECONDS = 10;

  private static final byte[] DATA = ascii("data: ");
  private static final byte[] END_OF_EVENT = ascii("\n\n");
  private static final byte[] COMMENT = ascii(":\n\n");

  private final @Nullable HttpSession session;
  private final HttpServletResponse response;
  private final JsonMapper json;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * @param session the streams end with it; null if the client has none
   */
  ViewStreams(@Nullable HttpSession session, HttpServletResponse response, JsonMapper json) {
    this.session = session;
    this.response = response;
    this.json = json;
  }

  /**
   * Writes the frames of a viewer until its feed or the session ends.
   *
   * @param view the number of the view in the request; null if there is only one, whose frames have
   *     no event name
   */
  void write(Viewer viewer, @Nullable Integer view) throws IOException, InterruptedException {
    while (true) {
      FeedUpdate update = viewer.next(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
      if (hasSessionEnded()) {
        return;
      }
      switch (update) {
        case FeedUpdate.Frame frame ->
            event(
                view == null ? "" : "event: frame " + view + " " + viewer.position() + "\n",
                frame.json());
        case FeedUpdate.Unchanged _ -> comment();
        case FeedUpdate.End end -> {
          event(
              view == null ? "event: end\n" : "event: end " + view + "\n",
              json.writeValueAsBytes(end.reason()));
          return;
        }
      }
    }
  }

  /** Whether the session in which the stream was opened has ended by a logout. */
  private boolean hasSessionEnded() {
    if (session == null) {
      return false;
    }
    try {
      session.getCreationTime();
      return false;
    } catch (IllegalStateException ended) {
      return true;
    }
  }

  void writeProblem(int view, Problem problem) throws IOException, InterruptedException {
    event("event: problem " + view + "\n", json.writeValueAsBytes(problem));
  }

  private void event(String name, byte[] data) throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      OutputStream out = response.getOutputStream();
      out.write(ascii(name));
      out.write(DATA);
      out.write(data);
      out.write(END_OF_EVENT);
      out.flush();
    } finally {
      lock.unlock();
    }
  }

  private void comment() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      response.getOutputStream().write(COMMENT);
      response.getOutputStream().flush();
    } finally {
      lock.unlock();
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
