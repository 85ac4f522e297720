package dev.vramscope.web.request;

import org.jspecify.annotations.Nullable;

/** A parameter with a text, as forms send it. */
public final class TextParameter {
  private TextParameter() {}

  /** The text without white space around it; null if nothing is left, or there was none. */
  public static @Nullable String strippedOrNull(@Nullable String parameter) {
    return parameter == null || parameter.isBlank() ? null : parameter.strip();
  }
}
