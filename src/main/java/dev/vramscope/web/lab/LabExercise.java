package dev.vramscope.web.lab;

import java.util.List;

/**
 * An exercise of the lab.
 *
 * @param id in the URL of its page; the fragment of {@code lab-texts.html} with its text
 * @param lead what it is about, in a sentence
 * @param sides the allocators that it begins with
 * @param script the operations that it begins with
 * @param shown how many of them are done when the page opens; -1 for all
 */
record LabExercise(
    String id,
    String title,
    String lead,
    List<LabRequest.LabAllocator> sides,
    String script,
    int shown) {
  /** What its page shows besides segments, reasons and numbers. */
  public String parts() {
    return switch (id) {
      case "streams" -> "streams";
      case "ladder" -> "ladder";
      default -> "";
    };
  }

  LabExercise {
    sides = List.copyOf(sides);
  }
}
