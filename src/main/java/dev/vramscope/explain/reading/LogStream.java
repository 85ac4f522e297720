package dev.vramscope.explain.reading;

import java.util.Arrays;

/**
 * The lines of one process, without what loggers, terminals and mail programs put before them, as
 * one line of text.
 *
 * <p>Where each line begins takes a byte: its length. A checkpoint has the position and the number
 * of a line; there is one wherever a number is not the next one or a line is longer than a byte
 * says, and after each {@link #MAX_RUN} lines.
 */
final class LogStream {
  private static final int MAX_RUN = 1024;
  private static final int MAX_LENGTH = 255;

  private final String writer;
  private StringBuilder text = new StringBuilder();
  private String joined = "";
  private byte[] lengths = new byte[64];
  private int size;
  private int[] starts = new int[16];
  private int[] numbers = new int[16];
  private int[] indices = new int[16];
  private int checkpoints;
  private int lastNumber;
  private boolean isLastLong;

  /** Lines of a process, as they name it; empty if they do not. */
  LogStream(String writer) {
    this.writer = writer;
  }

  String writer() {
    return writer;
  }

  /** Appends a line, whose number is from 1. */
  void add(String line, int number) {
    String words = line.strip();
    if (words.isEmpty()) {
      return;
    }
    int start = text.length();
    boolean isNext = checkpoints > 0 && number == lastNumber + 1 && !isLastLong;
    if (!isNext || size - indices[checkpoints - 1] >= MAX_RUN) {
      checkpoint(start, number);
    }
    appendWords(words);
    text.append(' ');
    int length = text.length() - start;
    isLastLong = length > MAX_LENGTH;
    lastNumber = number;
    if (size == lengths.length) {
      lengths = Arrays.copyOf(lengths, size + size / 2);
    }
    lengths[size++] = (byte) Math.min(length, MAX_LENGTH);
  }

  private void checkpoint(int start, int number) {
    if (checkpoints == starts.length) {
      int more = checkpoints + checkpoints / 2;
      starts = Arrays.copyOf(starts, more);
      numbers = Arrays.copyOf(numbers, more);
      indices = Arrays.copyOf(indices, more);
    }
    starts[checkpoints] = start;
    numbers[checkpoints] = number;
    indices[checkpoints++] = size;
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

  /** The text; no line can be added after it. */
  String text() {
    if (!text.isEmpty()) {
      joined = text.toString();
      text = new StringBuilder(0);
    }
    return joined;
  }

  /** The number of the line that has a character of the text. */
  int line(int position) {
    if (checkpoints == 0) {
      return 1;
    }
    int index = Arrays.binarySearch(starts, 0, checkpoints, position);
    int at = Math.max(0, index >= 0 ? index : -index - 2);
    int end = at + 1 < checkpoints ? indices[at + 1] : size;
    int start = starts[at];
    int number = numbers[at];
    for (int i = indices[at]; i + 1 < end; i++) {
      start += lengths[i] & 0xFF;
      if (start > position) {
        break;
      }
      number++;
    }
    return number;
  }
}
