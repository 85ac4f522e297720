package dev.vramscope.web.lab;

import dev.vramscope.web.problem.RefusedRequestException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import tools.jackson.databind.json.JsonMapper;

/** The ideas, and the page of one of them. */
@Controller
class LearnPage {
  private final JsonMapper json;

  LearnPage(JsonMapper json) {
    this.json = json;
  }

  @GetMapping("/learn")
  String list(Model model) {
    Map<String, List<LearnTopic>> subjects = new LinkedHashMap<>();
    for (LearnTopic.Subject subject : LearnTopic.Subject.values()) {
      subjects.put(subject.title(), LearnTopics.about(subject));
    }
    model.addAttribute("subjects", subjects);
    return "learn";
  }

  @GetMapping("/learn/{id}")
  String show(@PathVariable String id, Model model) {
    LearnTopic topic = LearnTopics.find(id).orElseThrow(() -> noTopic(id));
    List<LearnTopic> related =
        topic.related().stream().map(LearnTopics::find).flatMap(Optional::stream).toList();
    model.addAttribute("topic", topic);
    model.addAttribute("related", related);
    model.addAttribute("sides", json.writeValueAsString(topic.sides()));
    model.addAttribute("allocators", topic.sides().stream().map(LearnPage::allocator).toList());
    return "learn-topic";
  }

  private static RefusedRequestException noTopic(String id) {
    return RefusedRequestException.notFound(
        "There is no page about this", "/learn/" + id, "The list has all pages.");
  }

  /** Such as {@code caching (expandable_segments:True) on 1GiB}. */
  private static String allocator(LabRequest.LabAllocator side) {
    String settings = side.settings() == null || side.settings().isEmpty() ? "" : side.settings();
    return side.allocator()
        + (settings.isEmpty() ? "" : " (" + settings + ")")
        + " on "
        + side.deviceBytes();
  }
}
