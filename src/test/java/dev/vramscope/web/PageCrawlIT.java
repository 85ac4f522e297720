package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestExtent;
import dev.vramscope.web.snapshot.Tab;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Follows the links of all pages, from the dashboard on. Of links that differ only in the values of
 * their parameters, such as those to single events, the first {@link #OF_ONE_KIND} are followed.
 */
class PageCrawlIT {
  private static final int OF_ONE_KIND = TestExtent.of(6, 40);
  private static final Pattern LINK =
      Pattern.compile("<(?:a|link|script|img)\\b[^>]*?\\s(?:href|src)=\"([^\"]*)\"");

  /** ViewParametersIT tests the tabs that carry what a page shows to all others. */
  private static final Pattern TABS = Pattern.compile("(?s)<nav class=\"tabs\".*?</nav>");

  private static final Set<String> CARRIED =
      Set.of("from", "to", "event", "at", "sel", "range", "text");
  private static final Pattern ID = Pattern.compile("\\sid=\"([^\"]*)\"");

  private final List<String> problems = new ArrayList<>();
  private final Set<String> known = new LinkedHashSet<>();
  private final Deque<String> waiting = new ArrayDeque<>();
  private final Map<String, Integer> ofOneKind = new HashMap<>();
  private final Map<String, Set<String>> idsOfPages = new HashMap<>();
  private final Map<String, Set<String>> fragments = new HashMap<>();

  @Test
  void everyLinkLeadsToAPageThatShowsWhatTheLinkNames() {
    try (LocalServer server = LocalServer.start()) {
      Map<String, String> shapes = SnapshotShapes.storeAll(server);
      found("/", "start");
      while (!waiting.isEmpty()) {
        visit(server, waiting.remove());
      }
      fragments.forEach(
          (page, names) ->
              names.stream()
                  .filter(name -> !idsOfPages.getOrDefault(page, Set.of()).contains(name))
                  .forEach(name -> problems.add("no #" + name + " on " + page)));
      assertThat(problems).isEmpty();
      for (String id : shapes.values()) {
        for (Tab tab : Tab.values()) {
          assertThat(known).anyMatch(url -> path(url).equals("/snapshots/" + id + tab.path()));
        }
      }
      assertThat(known)
          .anyMatch(url -> url.contains("event="))
          .anyMatch(url -> url.contains("sel=0x"));
      assertThat(known).anyMatch(url -> url.contains("site="));
    }
  }

  private void found(String link, String page) {
    if (link.startsWith("http:") || link.startsWith("https:") || link.startsWith("data:")) {
      return; // another site
    }
    URI target = URI.create("http://localhost" + (page.startsWith("/") ? page : "/")).resolve(link);
    String url =
        target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
    if (known.contains(url) || ofOneKind.merge(kind(url), 1, Integer::sum) <= OF_ONE_KIND) {
      if (target.getRawFragment() != null) {
        fragments.computeIfAbsent(url, _ -> new TreeSet<>()).add(target.getRawFragment());
      }
      if (known.add(url)) {
        waiting.add(url);
      }
    }
  }

  /** The path and the names of the parameters. */
  private static String kind(String url) {
    return path(url)
        + parameters(url).keySet().stream().sorted().collect(Collectors.joining(",", "?", ""));
  }

  private static String path(String url) {
    return url.replaceFirst("\\?.*", "");
  }

  private static Map<String, String> parameters(String url) {
    Map<String, String> parameters = new HashMap<>();
    if (url.contains("?")) {
      for (String each : url.substring(url.indexOf('?') + 1).split("&", -1)) {
        String[] parts = each.split("=", 2);
        parameters.put(parts[0], parts.length == 2 ? parts[1] : "");
      }
    }
    return parameters;
  }

  private void visit(LocalServer server, String url) {
    HttpResponse<byte[]> answer = server.get(url, "Accept", "text/html,*/*;q=0.8");
    if (answer.statusCode() == 302) {
      URI target = URI.create(answer.headers().firstValue("Location").orElse("/"));
      found(target.getRawPath() + "?" + target.getRawQuery(), url);
      return;
    }
    if (answer.statusCode() != 200) {
      problems.add(answer.statusCode() + " " + url);
    }
    if (!answer.headers().firstValue("Content-Type").orElse("").startsWith("text/html")) {
      return;
    }
    String html = new String(answer.body(), StandardCharsets.UTF_8);
    Set<String> ids = new TreeSet<>();
    for (Matcher id = ID.matcher(html); id.find(); ) {
      if (!ids.add(id.group(1))) {
        problems.add("id " + id.group(1) + " twice on " + url);
      }
    }
    idsOfPages.put(url, ids);
    selectsWhatItNames(url, html);
    boolean isCarried = parameters(url).keySet().stream().anyMatch(CARRIED::contains);
    String links =
        isCarried || url.contains("/allocations/") ? TABS.matcher(html).replaceAll("") : html;
    for (Matcher link = LINK.matcher(links); link.find(); ) {
      found(link.group(1).replace("&amp;", "&"), url);
    }
  }

  /** The page of a link to an event, an allocation, a block or a site shows that one. */
  private void selectsWhatItNames(String url, String html) {
    Map<String, String> parameters = parameters(url);
    String path = path(url);
    String event = parameters.get("event");
    String selected = parameters.get("sel");
    if (path.endsWith("/timeline")) {
      expect(url, event == null || html.contains("data-event=\"" + event + "\""));
      expect(url, selected == null || html.contains("data-selected=\"" + selected + "\""));
    } else if (path.endsWith("/segments") && selected != null && selected.startsWith("0x")) {
      // Of a block at the time of a failure another one may contain the address at the end.
      expect(
          url,
          html.contains("data-selected=\"" + selected + "\"")
              || html.contains("The selected block contains this address"));
    } else if (path.endsWith("/sites") && parameters.containsKey("site")) {
      expect(url, html.contains("id=\"site\""));
    }
  }

  private void expect(String url, boolean isSelected) {
    if (!isSelected) {
      problems.add("not selected: " + url);
    }
  }
}
