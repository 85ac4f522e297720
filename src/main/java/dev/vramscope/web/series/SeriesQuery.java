package dev.vramscope.web.series;

import static dev.vramscope.web.request.TextParameter.strippedOrNull;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recordings of a series: those that are selected, or else those of a job.
 *
 * @param id of the selected ones
 * @param job the exact job
 * @param rank the exact rank
 * @param host the exact host
 */
public record SeriesQuery(
    @Nullable List<String> id, @Nullable String job, @Nullable String rank, @Nullable String host) {
  public SeriesQuery {
    job = strippedOrNull(job);
    rank = strippedOrNull(rank);
    host = strippedOrNull(host);
  }

  /** The selected snapshots, each once; empty if those of a job are asked for. */
  List<String> selected() {
    return id == null ? List.of() : id.stream().filter(each -> !each.isBlank()).distinct().toList();
  }

  /** The address of the same in JSON. */
  public String api() {
    List<String> parameters = new ArrayList<>();
    selected().forEach(each -> add(parameters, "id", each));
    add(parameters, "job", job);
    add(parameters, "rank", rank);
    add(parameters, "host", host);
    return "/api/v1/series?" + String.join("&", parameters);
  }

  private static void add(List<String> parameters, String name, @Nullable String value) {
    if (value != null) {
      parameters.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
    }
  }
}
