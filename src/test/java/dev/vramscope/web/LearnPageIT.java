package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.web.lab.LearnTopic;
import dev.vramscope.web.lab.LearnTopics;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.unbescape.html.HtmlEscape;
import tools.jackson.databind.JsonNode;

/** The pages that explain ideas. */
class LearnPageIT extends OnServer {
  private static final Pattern PARAGRAPH = Pattern.compile("<p>");

  @Test
  void everyIdeaIsListedWithItsSentence() {
    String list = server.text("/learn");
    for (LearnTopic topic : LearnTopics.LIST) {
      assertThat(HtmlEscape.unescapeHtml(list))
          .contains("href=\"" + topic.href() + "\"", topic.title(), topic.sentence());
    }
  }

  @Test
  void everyPageHasThreeParagraphsAPictureSettingsAndSources() {
    for (LearnTopic topic : LearnTopics.LIST) {
      String page = server.text(topic.href());
      assertThat(PARAGRAPH.matcher(part(page, "<div class=\"learn-text\">", "</div>")).results())
          .as(topic.id())
          .hasSize(3);
      assertThat(part(page, "<table class=\"learn-settings\">", "</table>"))
          .as(topic.id())
          .contains("<td>");
      assertThat(part(page, "<h2 id=\"own\">", "</ul>")).as(topic.id()).contains("<li>", "<i>");
      assertThat(part(page, "<h2 id=\"sources\">", "</ul>"))
          .as(topic.id())
          .contains("<li>")
          .doesNotContain("http:");
      assertThat(part(page, "<ul class=\"learn-related", "</ul>")).contains("href=\"/learn/");
      assertThat(page)
          .contains("href=\"/lab/" + topic.exercise() + "\"", "data-shown=\"" + topic.shown());
    }
  }

  @Test
  void thePictureIsAnExperimentOfTheLab() {
    for (LearnTopic topic : LearnTopics.LIST) {
      String page = server.text(topic.href());
      String sides = HtmlEscape.unescapeHtml(part(page, "data-sides=\"", "\""));
      String script = HtmlEscape.unescapeHtml(part(page, "data-script=\"", "\""));
      assertThat(script).as(topic.id()).isEqualTo(topic.script());
      assertThat(script).doesNotContain("\"", "\\");
      String body =
          "{\"sides\": " + sides + ", \"script\": \"" + script.replace("\n", "\\n") + "\"}";
      JsonNode answer =
          Json.of(
              server.post(
                  "/api/v1/lab/run",
                  body.getBytes(StandardCharsets.UTF_8),
                  "Content-Type",
                  "application/json"));
      assertThat(answer.path("sides").size()).as(topic.id()).isEqualTo(topic.sides().size());
    }
  }

  @Test
  void termsLinkToThePagesThatExplainThem() {
    for (String page : new String[] {"/about", "/learn/reserved"}) {
      assertThat(server.text(page)).contains("href=\"/learn/record-stream\"");
    }
    assertThat(server.get("/learn/nothing").statusCode()).isEqualTo(404);
  }

  private static String part(String page, String from, String to) {
    assertThat(page).contains(from);
    int start = page.indexOf(from) + from.length();
    return page.substring(start, page.indexOf(to, start));
  }
}
