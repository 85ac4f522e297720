package dev.vramscope.explain.reading;

/**
 * Joins the lines of a log that a terminal has cut at its right edge, within words: no line is
 * longer than the edge, and many have exactly this length. Each joined line is followed by as many
 * empty ones as were joined to it, so that every line keeps its number.
 */
public final class WrappedLines {
  private static final int LEAST_WIDTH = 60;
  private static final int MOST_WIDTH = 400;

  /** Lines that end there by chance, and tables, have fewer. */
  private static final int LEAST_CUTS = 3;

  /** Ordinary lines of one width begin with the same word or date; cut ones do not. */
  private static final int SAME_BEGINNING = 4;

  private WrappedLines() {}

  /** The text with whole lines, or the same text if it is not cut. */
  public static String joined(String text) {
    int width = longest(text);
    if (width < LEAST_WIDTH || width > MOST_WIDTH || cuts(text, width) < LEAST_CUTS) {
      return text;
    }
    StringBuilder joined = new StringBuilder(text.length());
    int moved = 0;
    int start = 0;
    while (start < text.length()) {
      int end = end(text, start);
      joined.append(text, start, end);
      boolean isLast = end == text.length();
      if (!isLast && isCut(text, start, end, width)) {
        moved++;
      } else {
        joined.repeat('\n', moved + (isLast ? 0 : 1));
        moved = 0;
      }
      start = end + 1;
    }
    return joined.toString();
  }

  /** The length of the longest line, or one that is too long to be cut at an edge. */
  private static int longest(String text) {
    int longest = 0;
    for (int start = 0; start < text.length() && longest <= MOST_WIDTH; ) {
      int end = end(text, start);
      longest = Math.max(longest, end - start);
      start = end + 1;
    }
    return longest;
  }

  /** How often the edge is within a word, or after the blank between two. */
  private static int cuts(String text, int width) {
    int count = 0;
    for (int start = 0; start < text.length(); ) {
      int end = end(text, start);
      if (isCut(text, start, end, width) && isWithinSentence(text, end)) {
        count++;
      }
      start = end + 1;
    }
    return count;
  }

  /** Whether a sentence goes on after the end of a line; few lines begin with a single blank. */
  private static boolean isWithinSentence(String text, int end) {
    char last = text.charAt(end - 1);
    char next = text.charAt(end + 1);
    if (next == ' ') {
      return end + 2 < text.length() && Character.isLetterOrDigit(text.charAt(end + 2));
    }
    return last == ' '
        ? Character.isLetterOrDigit(next)
        : Character.isLetterOrDigit(last) && Character.isLowerCase(next);
  }

  /** Whether the line goes on in the next one; rows of tables and indented lines do not. */
  private static boolean isCut(String text, int start, int end, int width) {
    if (end - start != width || end + 1 >= text.length()) {
      return false;
    }
    char last = text.charAt(end - 1);
    char next = text.charAt(end + 1);
    return !isAlike(text, start, end + 1)
        && last != '|'
        && last != '+'
        && next != '|'
        && next != '\n'
        && !text.startsWith("  ", end + 1);
  }

  /** Whether two lines begin alike, as those of one message with other numbers do. */
  private static boolean isAlike(String text, int a, int b) {
    return text.regionMatches(a, text, b, SAME_BEGINNING);
  }

  private static int end(String text, int start) {
    int end = text.indexOf('\n', start);
    return end < 0 ? text.length() : end;
  }
}
