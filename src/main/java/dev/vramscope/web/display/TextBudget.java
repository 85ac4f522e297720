package dev.vramscope.web.display;

import dev.vramscope.model.Frame;
import dev.vramscope.model.FxNode;

/**
 * Limits the text of a file in one response, so that neither many nor long names make it large. A
 * caller adds rows until the budget is spent, and states how many it left out. Not thread-safe.
 */
public final class TextBudget {
  /** The longest text in a response; a longer one is elided in its middle. */
  public static final int MAX_TEXT = 4_000;

  // Each row takes some markup as well.
  private static final int ROW = 100;

  private final DisplayFormat format = new DisplayFormat();
  private long left;

  /**
   * @param characters of all texts; the last row may exceed it
   */
  public TextBudget(int characters) {
    left = characters;
  }

  public boolean isSpent() {
    return left <= 0;
  }

  /** A text, elided if it is too long. */
  public String text(String text) {
    String shownText = format.elided(text, MAX_TEXT);
    left -= shownText.length();
    return shownText;
  }

  /** A frame with its texts elided. */
  public Frame frame(Frame frame) {
    left -= ROW;
    FxNode fx = frame.fx();
    FxNode node =
        fx == null
            ? null
            : new FxNode(
                text(fx.op()), text(fx.name()), text(fx.target()), text(fx.originalTrace()));
    return new Frame(text(frame.name()), text(frame.file()), frame.line(), node);
  }
}
