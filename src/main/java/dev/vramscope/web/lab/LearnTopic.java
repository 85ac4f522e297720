package dev.vramscope.web.lab;

import java.util.List;

/**
 * An idea that people look up.
 *
 * @param id in the URL of its page; the template {@code learn/<id>.html} has its text, the file
 *     {@code learn/<id>.txt} its script
 * @param title as the heading of its page
 * @param sentence what it says, in one sentence
 * @param sides the allocators of its picture
 * @param script the operations of its picture
 * @param shown how many of them are done when the page opens
 * @param exercise the id of the exercise of the lab that shows it
 * @param related the ids of the ideas to read next
 */
public record LearnTopic(
    String id,
    String title,
    String sentence,
    List<LabRequest.LabAllocator> sides,
    String script,
    int shown,
    String exercise,
    List<String> related) {
  public LearnTopic {
    sides = List.copyOf(sides);
    related = List.copyOf(related);
  }

  /** The URL of its page. */
  public String href() {
    return "/learn/" + id;
  }
}
