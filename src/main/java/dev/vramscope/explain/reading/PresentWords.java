package dev.vramscope.explain.reading;

import dev.vramscope.work.HeavyWork;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which of many fixed words a text has, in one pass: most logs have few of them, and a search for
 * each alone would read the text a hundred times.
 */
public final class PresentWords {
  /** Words are looked up by so many first characters. */
  private static final int HEAD = 4;

  private static final int SLOTS = 1 << 14;
  private static final int CHECKPOINT = 1 << 20;

  private final @Nullable List<String>[] byHead;
  private final Set<String> tooShort = new HashSet<>();
  private final int different;

  /** Looks for these words; an empty one is in every text. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public PresentWords(Collection<String> words) {
    byHead = (List<String>[]) new List[SLOTS];
    Set<String> distinct = new HashSet<>(words);
    for (String word : distinct) {
      if (word.length() < HEAD) {
        tooShort.add(word);
      } else {
        int slot = slot(word, 0);
        List<String> same = byHead[slot];
        if (same == null) {
          same = new ArrayList<>();
          byHead[slot] = same;
        }
        same.add(word);
      }
    }
    different = distinct.size() - tooShort.size();
  }

  private static int slot(String text, int at) {
    int head =
        text.charAt(at)
            + 31 * text.charAt(at + 1)
            + 997 * text.charAt(at + 2)
            + 4099 * text.charAt(at + 3);
    return head & (SLOTS - 1);
  }

  /** The words that a text has. */
  public Set<String> in(String text) {
    Set<String> present = new HashSet<>();
    int last = text.length() - HEAD;
    for (int at = 0; at <= last && present.size() < different; at++) {
      if (at % CHECKPOINT == 0) {
        HeavyWork.checkpoint();
      }
      List<String> words = byHead[slot(text, at)];
      if (words != null) {
        for (String word : words) {
          if (text.startsWith(word, at)) {
            present.add(word);
          }
        }
      }
    }
    tooShort.stream().filter(text::contains).forEach(present::add);
    return present;
  }
}
