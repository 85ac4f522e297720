package dev.vramscope.cli.replay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The operations of a trace: lines of words separated by blanks. Empty lines and lines that begin
 * with {@code #} are skipped but counted. Words are looked at in place, so that a million lines
 * make no garbage.
 */
final class TraceLines {
  private static final int MAX_WORDS = 64;
  private static final int MAX_PLAIN_DIGITS = 18;

  private final InputStream in;
  private byte[] buffer = new byte[1 << 16];
  private int filled;
  private int lineStart;
  private int lineEnd;
  private int nextLine;
  private boolean atEnd;
  private int line;
  private int words;
  private final int[] wordStart = new int[MAX_WORDS];
  private final int[] wordEnd = new int[MAX_WORDS];

  TraceLines(InputStream in) {
    this.in = in;
  }

  /** Steps to the next operation, if there is one. */
  boolean next() throws IOException {
    while (nextLine()) {
      line++;
      if (lineStart < lineEnd && buffer[lineStart] != '#') {
        split();
        if (words > 0) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean nextLine() throws IOException {
    lineStart = nextLine;
    int at = nextLine;
    while (true) {
      while (at < filled && buffer[at] != '\n') {
        at++;
      }
      if (at < filled) {
        lineEnd = at;
        nextLine = at + 1;
        return true;
      }
      if (atEnd) {
        lineEnd = filled;
        nextLine = filled;
        return lineStart < filled;
      }
      at -= refill();
    }
  }

  /**
   * Moves the line that was begun to the front and reads on.
   *
   * @return by how much it moved
   */
  private int refill() throws IOException {
    int moved = lineStart;
    System.arraycopy(buffer, moved, buffer, 0, filled - moved);
    filled -= moved;
    lineStart = 0;
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int read = in.read(buffer, filled, buffer.length - filled);
    if (read < 0) {
      atEnd = true;
    } else {
      filled += read;
    }
    return moved;
  }

  private void split() {
    words = 0;
    int at = lineStart;
    while (words < MAX_WORDS) {
      while (at < lineEnd && isBlank(buffer[at])) {
        at++;
      }
      if (at == lineEnd) {
        return;
      }
      wordStart[words] = at;
      while (at < lineEnd && !isBlank(buffer[at])) {
        at++;
      }
      wordEnd[words++] = at;
    }
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  /** The number of this line in the file, from 1. */
  int line() {
    return line;
  }

  /** How many words the line has, the operation included. */
  int words() {
    return words;
  }

  boolean has(int word) {
    return word < words;
  }

  /** Whether the operation is this one; ASCII. */
  boolean isOperation(String name) {
    int length = wordEnd[0] - wordStart[0];
    if (length != name.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (buffer[wordStart[0] + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  String word(int word) {
    require(word);
    return new String(
        buffer, wordStart[word], wordEnd[word] - wordStart[word], StandardCharsets.UTF_8);
  }

  /** Writes a word as a text value, without garbage. */
  void write(int word, RecordWriter record) {
    require(word);
    record.value(buffer, wordStart[word], wordEnd[word]);
  }

  /** A decimal number; beyond 64 bits it wraps, as an unsigned one does. */
  long number(int word) {
    require(word);
    int at = wordStart[word];
    int end = wordEnd[word];
    boolean negative = buffer[at] == '-';
    if (negative) {
      at++;
    }
    if (at == end) {
      throw notANumber(word);
    }
    long value = 0;
    for (; at < end; at++) {
      int digit = buffer[at] - '0';
      if (digit < 0 || digit > 9) {
        throw notANumber(word);
      }
      value = 10 * value + digit;
    }
    return negative ? -value : value;
  }

  int small(int word) {
    return Math.toIntExact(number(word));
  }

  /**
   * Ends the line before the first {@code #}, for grammars in which a comment may follow.
   *
   * @return whether words are left
   */
  boolean cutComment() {
    for (int at = lineStart; at < lineEnd; at++) {
      if (buffer[at] == '#') {
        lineEnd = at;
        split();
        break;
      }
    }
    return words > 0;
  }

  /** Whether a word is a decimal number that fits, written as one would write it. */
  boolean isPlainNumber(int word) {
    require(word);
    int start = wordStart[word];
    int end = wordEnd[word];
    if (end - start > MAX_PLAIN_DIGITS || (buffer[start] == '0' && end - start > 1)) {
      return false;
    }
    for (int at = start; at < end; at++) {
      if (buffer[at] < '0' || buffer[at] > '9') {
        return false;
      }
    }
    return true;
  }

  /** The rest of the line from this word on, or nothing. */
  String rest(int word) {
    return word < words
        ? new String(buffer, wordStart[word], lineEnd - wordStart[word], StandardCharsets.UTF_8)
        : "";
  }

  private void require(int word) {
    if (word >= words) {
      throw new IllegalArgumentException(
          "Line " + line + ": '" + rest(0) + "' needs at least " + word + " arguments.");
    }
  }

  private IllegalArgumentException notANumber(int word) {
    return new IllegalArgumentException("Line " + line + ": '" + word(word) + "' is not a number.");
  }
}
