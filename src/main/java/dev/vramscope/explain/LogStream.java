package dev.vramscope.explain;

import java.util.Arrays;

/**
 * The lines of one process, without what loggers, terminals and mail programs put before them, as
 * one line of text.
 */
final class LogStream {
  private final StringBuilder text = new StringBuilder();
  private int[] starts = new int[16];
  private int[] lines = new int[16];
  private int size;

  /** Appends a line, whose number is from 1. */
  void add(String line, int number) {
    String words = line.strip();
    if (words.isEmpty()) {
      return;
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, 2 * size);
      lines = Arrays.copyOf(lines, 2 * size);
    }
    starts[size] = text.length();
    lines[size++] = number;
    appendWords(words);
    text.append(' ');
  }

  private void appendWords(String words) {
    boolean isAfterBlank = false;
    for (int i = 0; i < words.length(); i++) {
      char each = words.charAt(i);
      boolean isBlank = Character.isWhitespace(each) || each == '\u00a0';
      if (!isBlank) {
        text.append(each);
      } else if (!isAfterBlank) {
        text.append(' ');
      }
      isAfterBlank = isBlank;
    }
  }

  String text() {
    return text.toString();
  }

  /** The number of the line that has a character of the text. */
  int line(int position) {
    int found = Arrays.binarySearch(starts, 0, size, position);
    return size == 0 ? 1 : lines[Math.max(0, found >= 0 ? found : -found - 2)];
  }
}
