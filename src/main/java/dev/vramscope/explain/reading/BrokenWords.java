package dev.vramscope.explain.reading;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Joins words that stand in two lines: those of PyTorch's message, and sizes. What cuts lines does
 * not always leave lines of one length ({@link WrappedLines}), as when marks were removed from them
 * afterwards. Each joined line is followed by an empty one, so that every line keeps its number.
 */
final class BrokenWords {
  /** A pasted text; nobody wraps a long log. */
  private static final int MOST_CHARACTERS = 1 << 18;

  /** The words between the numbers of a message. */
  private static final List<String> PHRASES =
      List.of(
          "out of memory",
          "Tried to allocate",
          "total capacity",
          "already allocated",
          "reserved in total by PyTorch",
          "has a total capacity of",
          "of which",
          "Including non-PyTorch memory",
          "memory in use",
          "Of the allocated memory",
          "is allocated by PyTorch",
          "allocated in private pools",
          "is reserved by PyTorch but unallocated",
          "is free",
          "CUDA GPU GiB MiB KiB");

  private static final Pattern WORDS =
      Pattern.compile(
          PHRASES.stream()
                  .flatMap(phrase -> List.of(phrase.split(" ")).stream())
                  .distinct()
                  .filter(word -> word.length() > 1)
                  .map(BrokenWords::inTwoLines)
                  .collect(Collectors.joining("|"))
              + "|(?<=(?:allocate|of|which|has|memory|pools|and|with) [0-9]{1,4})"
              + "(?:\\n\\.[0-9]{2}|\\.\\n[0-9]{2}|\\.[0-9]\\n[0-9])(?= [KMGT]iB)");

  private BrokenWords() {}

  /** {@code a\nlready|al\nready|…}: the word with one line break within it. */
  private static String inTwoLines(String word) {
    StringBuilder pattern = new StringBuilder();
    for (int i = 1; i < word.length(); i++) {
      pattern.append(i == 1 ? "" : "|");
      pattern.append(Pattern.quote(word.substring(0, i)));
      pattern.append("\\n").append(Pattern.quote(word.substring(i)));
    }
    return "\\b(?:" + pattern + ")\\b";
  }

  /** The text with whole words, or the same text if none of them is cut. */
  static String joined(String text) {
    if (text.length() > MOST_CHARACTERS) {
      return text;
    }
    Matcher broken = WORDS.matcher(text);
    if (!broken.find()) {
      return text;
    }
    StringBuilder joined = new StringBuilder(text.length());
    int at = 0;
    int moved = 0;
    do {
      moved = append(joined, text.substring(at, broken.start()), moved);
      joined.append(broken.group().replace("\n", ""));
      moved++;
      at = broken.end();
    } while (broken.find());
    moved = append(joined, text.substring(at), moved);
    return joined.repeat('\n', moved).toString();
  }

  /** Appends a part of the text; the line breaks that were taken away follow its first line. */
  private static int append(StringBuilder joined, String part, int moved) {
    int newline = part.indexOf('\n');
    if (newline < 0) {
      joined.append(part);
      return moved;
    }
    joined.append(part, 0, newline).repeat('\n', moved).append(part, newline, part.length());
    return 0;
  }
}
