package dev.vramscope.cli.arguments;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known name that a mistyped one probably means. */
public final class Nearest {
  /** Two characters in the wrong order are two replacements. */
  private static final int MIN_LIMIT = 2;

  private Nearest() {}

  /**
   * Returns the candidate with the smallest edit distance, unless more than a third of the given
   * name, and more than two characters, would have to change. A candidate's part after its first
   * dot is compared, too: {@code data-dir} means {@code vramscope.data-dir}.
   */
  public static Optional<String> to(String word, Collection<String> candidates) {
    int limit = Math.max(MIN_LIMIT, word.length() / 3);
    return candidates.stream()
        .filter(candidate -> distance(word, candidate) <= limit)
        .min(Comparator.<String>comparingInt(candidate -> distance(word, candidate)));
  }

  /** The sentence for an error message; empty without a near candidate. */
  public static String question(String word, Collection<String> candidates) {
    return to(word, candidates).map(name -> " Did you mean " + name + "?").orElse("");
  }

  private static int distance(String word, String candidate) {
    String hyphens = candidate.startsWith("--") ? "--" : "";
    String afterDot = hyphens + candidate.substring(candidate.indexOf('.') + 1);
    return Math.min(
        editDistance(word, candidate),
        candidate.contains(".") ? editDistance(word, afterDot) : Integer.MAX_VALUE);
  }

  /** Insertions, deletions and replacements of characters (Levenshtein). */
  static int editDistance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
