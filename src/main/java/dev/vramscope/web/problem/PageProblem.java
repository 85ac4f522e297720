package dev.vramscope.web.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A problem as a page shows it: what to do next are links, where the REST API names requests.
 *
 * @param problem the problem; its {@code where} and {@code next} name no path of the API
 * @param link the page that lists what exists, or null if the address is one of the API
 */
public record PageProblem(Problem problem, @Nullable Link link) {
  private static final String API = "/api/";
  private static final Link DASHBOARD = new Link("/", "Dashboard");
  private static final Link SNAPSHOTS = new Link("/snapshots", "All stored snapshots");

  /** The lists, by the path that their entries begin with. */
  private static final List<Section> SECTIONS =
      List.of(
          new Section(
              "/live",
              "It may have been closed, or the service was restarted since: allocators exist until"
                  + " then.",
              new Link("/live", "All hosted allocators and latest runs")),
          new Section("/learn", "Check the address.", new Link("/learn", "All ideas")),
          new Section("/snapshots", "It may have been deleted.", SNAPSHOTS),
          new Section("/compare", "It may have been deleted.", SNAPSHOTS));

  /** A page. */
  record Link(String href, String label) {}

  private record Section(String path, String next, Link list) {
    boolean contains(String address) {
      return address.equals(path) || address.startsWith(path + "/");
    }
  }

  static PageProblem of(Problem rest, HttpServletRequest request) {
    String address = address(request);
    Problem problem = withPages(rest);
    if (isApi(address)) {
      return new PageProblem(problem, null);
    }
    Section section =
        SECTIONS.stream()
            .filter(each -> each.contains(address))
            .findFirst()
            .orElse(new Section("/", "Check the address.", DASHBOARD));
    String where = problem.where().contains(API) ? address : problem.where();
    String next = problem.next().contains(API) ? section.next() : problem.next();
    return new PageProblem(with(problem, where, next), section.list());
  }

  /** The pages for what the REST API does with a file. */
  static Problem withPages(Problem problem) {
    return with(
        problem,
        problem.where(),
        problem
            .next()
            .replace(UploadProblems.EXPLAIN, "Open it on the page Logs.")
            .replace(UploadProblems.STORE, "Upload it on the dashboard."));
  }

  private static Problem with(Problem problem, String where, String next) {
    return new Problem(
        problem.type(),
        problem.title(),
        problem.status(),
        problem.detail(),
        where,
        next,
        problem.instance());
  }

  /** Whether a path is one of the REST API. */
  public static boolean isApi(String path) {
    return path.startsWith(API);
  }

  /** The path that the client requested, also after a forward to the error page. */
  private static String address(HttpServletRequest request) {
    Object before = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
    return before == null ? request.getRequestURI() : before.toString();
  }
}
