package dev.vramscope.format.hlo;

import java.util.ArrayList;
import java.util.List;

/** Shapes inside lines of HLO. */
final class HloShapes {
  private HloShapes() {}

  /**
   * The first index after a shape: at a blank or an arrow outside of brackets, or the end of the
   * text.
   */
  static int end(String text, int start) {
    int depth = 0;
    for (int i = start; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '(' || each == '[' || each == '{') {
        depth++;
      } else if (each == ')' || each == ']' || each == '}') {
        depth--;
      } else if (depth <= 0 && (each == ' ' || each == '-')) {
        return i;
      }
    }
    return text.length();
  }

  /**
   * The parts of {@code (a, b)}, without the comments that count them; one part for another text.
   */
  static List<String> parts(String tuple) {
    String text = tuple.replaceAll("/\\*index=\\d+\\*/", "").strip();
    if (!text.startsWith("(") || !text.endsWith(")")) {
      return List.of(text);
    }
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 1;
    for (int i = 1; i < text.length() - 1; i++) {
      char each = text.charAt(i);
      if (each == '(' || each == '[' || each == '{') {
        depth++;
      } else if (each == ')' || each == ']' || each == '}') {
        depth--;
      } else if (each == ',' && depth == 0) {
        parts.add(text.substring(start, i).strip());
        start = i + 1;
      }
    }
    String last = text.substring(start, text.length() - 1).strip();
    if (!last.isEmpty()) {
      parts.add(last);
    }
    return parts;
  }
}
