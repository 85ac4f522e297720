package dev.vramscope.format.xla;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who wrote a line, in a log of several processes.
 *
 * @param name the mark before the text, such as {@code [rank0]:}; empty if the line has none
 * @param end where the text begins
 */
public record LineWriter(String name, int end) {
  private static final Pattern MARK =
      Pattern.compile(
          "\\s{0,9}(\\[(?:rank|default)[ _-]?[0-9]{1,5}\\]:?"
              + "|\\([A-Za-z][^()]{0,100}+\\bpid=[0-9]{1,10}[^()]{0,40}\\)) ?");

  private static final LineWriter UNKNOWN = new LineWriter("", 0);

  /** The writer of a line. */
  public static LineWriter of(String line) {
    char first = line.isEmpty() ? 0 : line.charAt(0);
    if (first != '[' && first != '(' && !Character.isWhitespace(first)) {
      return UNKNOWN; // Most lines: they need no search.
    }
    Matcher mark = MARK.matcher(line);
    return mark.lookingAt() ? new LineWriter(mark.group(1), mark.end()) : UNKNOWN;
  }

  /** Whether the line says it. */
  public boolean isKnown() {
    return !name.isEmpty();
  }
}
