package dev.vramscope.format.export;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stacks as text, innermost frame first, for formats that repeat the stack with every event. A
 * table without such sharing multiplies a long stack by the number of its events, so a stack has at
 * most {@link #MAX_STACK_LENGTH} characters and says how many frames are left out.
 *
 * <p>The rendered stacks are cached, at most {@link #MAX_CACHED} characters of them.
 */
final class StackTexts {
  static final int MAX_FRAME_LENGTH = 2_000;
  static final int MAX_STACK_LENGTH = 16_000;
  private static final long MAX_CACHED = 16 << 20;

  private static final String NO_FILE = "??";

  private final StackTable stacks;
  private final Function<List<String>, String> rendering;

  /** Number of frames of each stack: counting them for each stack takes too long for deep ones. */
  private final int[] depths;

  private final @Nullable String[] cache;
  private long cached;

  /**
   * Texts of the stacks of a table.
   *
   * @param rendering makes one text of the frames
   */
  StackTexts(StackTable stacks, Function<List<String>, String> rendering) {
    this.stacks = stacks;
    this.rendering = rendering;
    cache = new String[stacks.nodeCount()];
    depths = new int[stacks.nodeCount()];
    for (int node = 1; node < depths.length; node++) {
      depths[node] = depths[stacks.parent(node)] + 1;
    }
  }

  /** The text of a stack; null for {@link StackTable#NONE}. */
  @Nullable String of(int stack) {
    if (stack == StackTable.NONE) {
      return null;
    }
    String cachedText = cache[stack];
    if (cachedText != null) {
      return cachedText;
    }
    String text = rendering.apply(frames(stack));
    cached += text.length();
    if (cached > MAX_CACHED) {
      Arrays.fill(cache, null);
      cached = text.length();
    }
    cache[stack] = text;
    return text;
  }

  private List<String> frames(int stack) {
    List<String> frames = new ArrayList<>();
    int length = 0;
    for (int node = stack; node != StackTable.NONE; node = stacks.parent(node)) {
      String frame = text(stacks.frame(node));
      length += frame.length() + 1;
      if (length > MAX_STACK_LENGTH) {
        frames.add("… " + depths[node] + " more");
        break;
      }
      frames.add(frame);
    }
    return frames;
  }

  /** Name, file and line as far as they are known: {@code forward model.py:7}. */
  static String text(Frame frame) {
    boolean hasFile = !frame.file().isEmpty() && !frame.file().equals(NO_FILE);
    String text =
        frame.name()
            + (hasFile ? " " + frame.file() : "")
            + (hasFile && frame.line() > 0 ? ":" + frame.line() : "");
    return text.length() <= MAX_FRAME_LENGTH ? text : text.substring(0, MAX_FRAME_LENGTH) + "…";
  }
}
