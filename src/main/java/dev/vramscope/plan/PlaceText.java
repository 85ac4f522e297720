package dev.vramscope.plan;

import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;

/** Lines of code as text. */
final class PlaceText {
  private PlaceText() {}

  /** The site of a stack, such as {@code forward, train.py:12}. */
  static String of(StackTable stacks, int stack) {
    return of(stacks.frame(FrameRules.standard().classify(stacks).siteOf(stack)));
  }

  static String of(Frame frame) {
    String file = frame.file();
    int name = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1;
    return frame.name() + ", " + file.substring(name) + ":" + frame.line();
  }
}
