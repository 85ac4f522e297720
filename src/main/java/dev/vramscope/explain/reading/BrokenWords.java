package dev.vramscope.explain.reading;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Joins words that stand in two lines: those of PyTorch's message, and its sizes. What cuts lines
 * does not always leave lines of one length ({@link WrappedLines}), as when marks were removed from
 * them afterwards. A joined line is followed by as many empty ones as were joined to it, so that
 * every line keeps its number.
 */
final class BrokenWords {
  /** A pasted text; nobody wraps a long log. */
  private static final int MOST_CHARACTERS = 1 << 18;

  /** Those between the numbers of a message. */
  private static final Set<String> WORDS =
      Set.of(
          ("CUDA out of memory Tried to allocate GPU total capacity already allocated free reserved"
                  + " in by PyTorch has which is Including non this process use Of the and private"
                  + " pools but unallocated GiB MiB KiB")
              .split(" "));

  private static final int LONGEST = 11;

  /** A size with two decimals in two lines; two numbers may follow each other. */
  private static final Pattern SIZE =
      Pattern.compile(
          "(?s).*(?:allocate|of|which|has|memory|pools|and|with|;) [0-9]{1,4}"
              + "(?:\\n\\.[0-9]{2}|\\.\\n[0-9]{2}|\\.[0-9]\\n[0-9])\\s[KMGT]i.*");

  /** So far a size reaches to each side of a line's end. */
  private static final int REACH = 16;

  private BrokenWords() {}

  /** The text with whole words, or the same text if none of them is cut. */
  static String joined(String text) {
    if (text.length() > MOST_CHARACTERS) {
      return text;
    }
    StringBuilder joined = new StringBuilder(text.length());
    int start = 0;
    int moved = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      joined.append(text, start, end);
      start = end + 1;
      if (isWithinWord(text, end) || isWithinSize(text, end)) {
        moved++;
      } else {
        joined.repeat('\n', moved + 1);
        moved = 0;
      }
    }
    return joined.append(text, start, text.length()).repeat('\n', moved).toString();
  }

  private static boolean isWithinWord(String text, int newline) {
    int start = newline;
    while (start > 0 && newline - start < LONGEST && Character.isLetter(text.charAt(start - 1))) {
      start--;
    }
    int end = newline + 1;
    while (end < text.length()
        && end - newline <= LONGEST
        && Character.isLetter(text.charAt(end))) {
      end++;
    }
    return start < newline
        && end > newline + 1
        && WORDS.contains(text.substring(start, newline) + text.substring(newline + 1, end));
  }

  private static boolean isWithinSize(String text, int newline) {
    return newline + 1 < text.length()
        && isOfNumber(text.charAt(newline + 1))
        && SIZE.matcher(
                text.substring(
                    Math.max(0, newline - REACH), Math.min(text.length(), newline + REACH)))
            .matches();
  }

  private static boolean isOfNumber(char each) {
    return each == '.' || (each >= '0' && each <= '9');
  }
}
