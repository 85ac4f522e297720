package dev.vramscope.web;

import dev.vramscope.live.feed.FeedUpdate;
import dev.vramscope.live.feed.Feeds;
import dev.vramscope.live.feed.Viewer;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/**
 * Server-sent events of a hosted allocator. The request's own virtual thread writes until either
 * side disconnects. A client that does not read blocks only its own thread and is disconnected
 * after the connection's write timeout.
 */
@RestController
@Tag(name = "Allocators")
class LiveEventsApi {
  /** Interval of keep-alive comments; writing one detects a closed connection. */
  private static final long KEEP_ALIVE_SECONDS = 10;

  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END_OF_EVENT = "\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "event: end\ndata: ".getBytes(StandardCharsets.US_ASCII);

  private final Feeds feeds;
  private final JsonMapper json;

  LiveEventsApi(Feeds feeds, JsonMapper json) {
    this.feeds = feeds;
    this.json = json;
  }

  @Operation(
      summary = "Segments, blocks, curves and events of a hosted allocator, as server-sent events",
      description =
          "Each message is a frame with the changes since the previous one; the first contains the"
              + " complete state. A slow client receives fewer, larger frames. 'event: end' is the"
              + " last message and contains the reason; the stream also ends with the session.")
  @GetMapping("/api/v1/allocators/{id}/events")
  void events(@PathVariable long id, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    try (Viewer viewer = feeds.open(id)) {
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("X-Accel-Buffering", "no");
      write(viewer, request.getSession(false), response.getOutputStream());
    }
  }

  private void write(Viewer viewer, @Nullable HttpSession session, OutputStream out)
      throws IOException, InterruptedException {
    while (true) {
      FeedUpdate update = viewer.next(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
      if (isEnded(session)) {
        return;
      }
      switch (update) {
        case FeedUpdate.Frame frame -> {
          out.write(DATA);
          out.write(frame.json());
          out.write(END_OF_EVENT);
        }
        case FeedUpdate.Unchanged _ -> out.write(COMMENT);
        case FeedUpdate.End end -> {
          out.write(END);
          out.write(json.writeValueAsBytes(end.reason()));
          out.write(END_OF_EVENT);
          out.flush();
          return;
        }
      }
      out.flush();
    }
  }

  /** Whether the session in which the stream was opened has ended by a logout. */
  private static boolean isEnded(@Nullable HttpSession session) {
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
}
