package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.uses.Use;
import dev.vramscope.web.sites.SiteFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The filter of the page of sites, compared with the rows of REST. */
class SiteFilterIT extends OnSnapshotShapes {
  private static final Pattern LIVE_TOTAL = Pattern.compile("<tfoot>.*?data[^>]*value=\"(\\d+)\"");
  private static final Pattern COUNT = Pattern.compile("<tfoot><tr><th scope=\"row\">([^<]*)<");

  private static final String SHAPE = SampleFiles.FRAGMENTED;

  private static String sites(String query) {
    return server.text("/snapshots/" + shapes.get(SHAPE) + "/sites" + query);
  }

  private static List<JsonNode> rows() {
    List<JsonNode> rows = new ArrayList<>();
    Json.of(server.get("/api/v1/snapshots/" + shapes.get(SHAPE) + "/sites"))
        .path("rows")
        .forEach(rows::add);
    return rows;
  }

  private static String first(Pattern pattern, String html) {
    Matcher found = pattern.matcher(html);
    assertThat(found.find()).as(html).isTrue();
    return found.group(1);
  }

  @Test
  void usesAreDisjointAndComplete() {
    long live = 0;
    int listed = 0;
    for (Use each : new SiteFilter(null, false, null).uses()) {
      String use = each.id();
      List<JsonNode> expected =
          rows().stream().filter(row -> row.path("use").asString().equals(use)).toList();
      String html = sites("?use=" + use);
      long bytes = Long.parseLong(first(LIVE_TOTAL, html));
      assertThat(bytes)
          .as(use)
          .isEqualTo(expected.stream().mapToLong(row -> row.path("liveBytes").asLong()).sum());
      assertThat(first(COUNT, html)).startsWith(expected.size() + " of " + rows().size() + " site");
      live += bytes;
      listed += expected.size();
    }
    assertThat(listed).isEqualTo(rows().size());
    assertThat(live).isEqualTo(Long.parseLong(first(LIVE_TOTAL, sites(""))));
  }

  @Test
  void sitesWithATextAreMarkedOrTheOnlyOnes() {
    String file = rows().getFirst().at("/frame/file").asString();
    String name = file.substring(file.lastIndexOf('/') + 1);
    String marked = sites("?text=" + name);
    String only = sites("?text=" + name + "&only=true");
    String found = "with this text in a stack";
    assertThat(marked).contains(found + ", above the others");
    assertThat(first(COUNT, marked)).startsWith("All ");
    assertThat(only).contains(found).doesNotContain("above the others");
    assertThat(first(COUNT, only)).contains(" of ");
    assertThat(sites("?text=no-such-frame&only=true")).contains("No stack has this text.", "0 of ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"?use=nonsense", "?only=perhaps"})
  void nonsenseIsRejected(String query) {
    assertThat(
            server
                .get("/snapshots/" + shapes.get(SHAPE) + "/sites" + query, "Accept", "text/html")
                .statusCode())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"?use=", "?only=", "?text=&only=true"})
  void blankParametersAreMissingOnes(String query) {
    assertThat(first(COUNT, sites(query))).startsWith("All ");
  }
}
