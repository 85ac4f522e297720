package dev.vramscope.web.lab;

import java.util.List;

/**
 * An idea that people look up.
 *
 * @param subject whose memory it is about
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
    Subject subject,
    String id,
    String title,
    String sentence,
    List<LabRequest.LabAllocator> sides,
    String script,
    int shown,
    String exercise,
    List<String> related) {
  /** A group of ideas in the list, with its heading and the program whose releases are named. */
  public enum Subject {
    PYTORCH("PyTorch", "Since PyTorch"),
    JAX("JAX, XLA and TensorFlow", "Since"),
    EVERY_PROGRAM("Every program", "Since PyTorch");

    private final String title;
    private final String since;

    Subject(String title, String since) {
      this.title = title;
      this.since = since;
    }

    /** The heading of the group. */
    public String title() {
      return title;
    }

    /** The heading of the column that says since which release a setting exists. */
    public String since() {
      return since;
    }
  }

  public LearnTopic {
    sides = List.copyOf(sides);
    related = List.copyOf(related);
  }

  /** The URL of its page. */
  public String href() {
    return "/learn/" + id;
  }
}
