package dev.vramscope.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The places of a text where a message may be. Finding a fixed word is an order of magnitude faster
 * than matching a pattern at every character, and most of a log has none of the words.
 */
final class Candidates {
  /** The farthest that a word is from the first character of its message. */
  static final int REACH = 1000;

  /** A part of the text; its end is exclusive. */
  record Region(int from, int to) {}

  private Candidates() {}

  /** The parts of a text that have the words, in order, without overlap. */
  static List<Region> regions(String text, List<String> words) {
    List<Region> found = new ArrayList<>();
    for (String word : words) {
      int at = text.indexOf(word);
      while (at >= 0) {
        int end = at + word.length();
        found.add(new Region(Math.max(0, at - REACH), Math.min(text.length(), end + REACH)));
        at = text.indexOf(word, end);
      }
    }
    found.sort(Comparator.comparingInt(Region::from));
    List<Region> merged = new ArrayList<>();
    for (Region region : found) {
      Region last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && region.from() <= last.to()) {
        merged.set(merged.size() - 1, new Region(last.from(), Math.max(last.to(), region.to())));
      } else {
        merged.add(region);
      }
    }
    return merged;
  }
}
