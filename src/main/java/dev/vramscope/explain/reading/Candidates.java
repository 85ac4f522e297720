package dev.vramscope.explain.reading;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The places of a text where a message may be. Finding a fixed word is an order of magnitude faster
 * than matching a pattern at every character, and most of a log has none of the words.
 */
final class Candidates {
  /** The farthest that a word is from the first character of its message. */
  static final int REACH = 1000;

  /** A part of the text; its end is exclusive. */
  record Region(int from, int to) {}

  private final String text;
  private final List<String> words;

  /** The next place of each word; the end of the text if there is none. */
  private final int[] places;

  /**
   * The places of words.
   *
   * @param present the words that the text has; others may be in it, too
   */
  Candidates(String text, List<String> allWords, Set<String> present) {
    this.text = text;
    words = allWords.stream().filter(present::contains).toList();
    places = new int[words.size()];
    Arrays.setAll(places, word -> find(word, 0));
  }

  private int find(int word, int from) {
    int at = text.indexOf(words.get(word), from);
    return at < 0 ? text.length() : at;
  }

  /** The next part of the text that has a word; parts are in order and do not overlap. */
  Optional<Region> next() {
    int word = first();
    if (words.isEmpty() || places[word] == text.length()) {
      return Optional.empty();
    }
    int from = Math.max(0, places[word] - REACH);
    int to = from;
    while (places[word] < text.length() && places[word] - REACH <= to) {
      int end = places[word] + words.get(word).length();
      to = Math.max(to, Math.min(text.length(), end + REACH));
      places[word] = find(word, end);
      word = first();
    }
    return Optional.of(new Region(from, to));
  }

  private int first() {
    int first = 0;
    for (int word = 1; word < places.length; word++) {
      if (places[word] < places[first]) {
        first = word;
      }
    }
    return first;
  }
}
