package dev.vramscope.analysis.stacks;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.BitSet;
import java.util.Locale;

/**
 * The stacks with a frame that contains a text: in its name, its file, or its file and line as in
 * {@code train.py:41}. Words separated by spaces must all be in the same frame. Upper and lower
 * case are the same.
 */
public final class StackSearch {
  private final BitSet frames;
  private final BitSet stacks;

  private StackSearch(BitSet frames, BitSet stacks) {
    this.frames = frames;
    this.stacks = stacks;
  }

  /**
   * Searches all frames of a table.
   *
   * @param text not blank
   */
  public static StackSearch of(StackTable table, String text) {
    String[] words = text.strip().toLowerCase(Locale.ROOT).split("\\s+");
    BitSet frames = new BitSet();
    for (int frame = 0; frame < table.frames().size(); frame++) {
      if (containsAll(table.frames().get(frame), words)) {
        frames.set(frame);
      }
    }
    BitSet stacks = new BitSet();
    // A parent has a smaller id, so it is already known whether its stack matches.
    for (int node = 1; !frames.isEmpty() && node < table.nodeCount(); node++) {
      if (frames.get(table.frameNumber(node)) || stacks.get(table.parent(node))) {
        stacks.set(node);
      }
    }
    return new StackSearch(frames, stacks);
  }

  private static boolean containsAll(Frame frame, String[] words) {
    for (String word : words) {
      if (!contains(frame.name(), word)
          && !contains(frame.file(), word)
          && !(word.indexOf(':') > 0 && contains(frame.file() + ":" + frame.line(), word))) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@code text} contains {@code word}, which is in lower case. */
  private static boolean contains(String text, String word) {
    char first = word.charAt(0);
    int last = text.length() - word.length();
    for (int start = 0; start <= last; start++) {
      if (Character.toLowerCase(text.charAt(start)) == first
          && text.regionMatches(true, start, word, 0, word.length())) {
        return true;
      }
    }
    return false;
  }

  /** Whether a stack has such a frame; false for {@link StackTable#NONE}. */
  public boolean matches(int stack) {
    return stacks.get(stack);
  }

  /** Number of distinct frames that contain the text. */
  public int frameCount() {
    return frames.cardinality();
  }

  /** Whether no frame contains the text. */
  public boolean isEmpty() {
    return frames.isEmpty();
  }
}
