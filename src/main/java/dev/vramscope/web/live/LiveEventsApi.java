package dev.vramscope.web.live;

import dev.vramscope.live.feed.Feeds;
import dev.vramscope.live.feed.Viewer;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Immediate;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/**
 * Server-sent events of hosted allocators. Virtual threads write until either side disconnects. A
 * client that does not read blocks only its own threads and is disconnected after the connection's
 * write timeout.
 */
@Immediate
@RestController
@Tag(name = "Allocators")
class LiveEventsApi {
  private static final int MAX_VIEWS = 64;

  private final Feeds feeds;
  private final ProblemAdvice problems;
  private final JsonMapper json;

  LiveEventsApi(Feeds feeds, ProblemAdvice problems, JsonMapper json) {
    this.feeds = feeds;
    this.problems = problems;
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
    try (Viewer viewer = feeds.open(id, "")) {
      streams(request, response).write(viewer, null);
    }
  }

  @Operation(
      summary = "The events of several allocators on one connection",
      description =
          "For browsers, which open few connections to a server. A view is 'ID' or 'ID:POSITION';"
              + " POSITION is that of the last frame received, so that a view continues after a"
              + " reconnection. Events are named 'frame N POSITION', 'end N', and 'problem N' with"
              + " the problem of a view that cannot be opened; N is the number of the view in the"
              + " request, from 0. The response ends when all views have ended, and with"
              + " the session.")
  @GetMapping("/api/v1/allocators/events")
  void allEvents(
      @RequestParam List<String> view, HttpServletRequest request, HttpServletResponse response) {
    if (view.size() > MAX_VIEWS) {
      throw RefusedRequestException.badParameter(
          "view", view.size() + " views", "at most " + MAX_VIEWS);
    }
    ViewStreams streams = streams(request, response);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < view.size(); i++) {
        int number = i;
        threads.execute(
            () -> {
              try {
                write(view.get(number), number, streams);
              } catch (IOException disconnected) {
                threads.shutdownNow();
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
            });
      }
    }
  }

  private void write(String view, int number, ViewStreams streams)
      throws IOException, InterruptedException {
    int colon = view.indexOf(':');
    String id = colon < 0 ? view : view.substring(0, colon);
    try (Viewer viewer =
        feeds.open(Long.parseLong(id), colon < 0 ? "" : view.substring(colon + 1))) {
      streams.write(viewer, number);
    } catch (NumberFormatException invalid) {
      streams.writeProblem(
          number,
          problems.problem(
              RefusedRequestException.badParameter("view", view, "ID or ID:POSITION")));
    } catch (RuntimeException refused) {
      streams.writeProblem(number, problems.problem(refused));
    }
  }

  private ViewStreams streams(HttpServletRequest request, HttpServletResponse response) {
    response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Accel-Buffering", "no");
    return new ViewStreams(request.getSession(false), response, json);
  }
}
