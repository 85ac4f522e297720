package dev.vramscope.web;

import com.microsoft.playwright.options.ColorScheme;
import dev.vramscope.TestExtent;
import java.util.List;
import java.util.Locale;

/**
 * Width and colours of a browser window in which pages are tested.
 *
 * @param width CSS pixels
 */
record WindowLook(int width, ColorScheme scheme) {
  private static final List<WindowLook> ALL =
      List.of(
          new WindowLook(1280, ColorScheme.LIGHT),
          new WindowLook(400, ColorScheme.DARK),
          new WindowLook(1280, ColorScheme.DARK),
          new WindowLook(400, ColorScheme.LIGHT));

  /** Wide and narrow, light and dark; in the tests of CI in every combination. */
  static List<WindowLook> tested() {
    return ALL.subList(0, TestExtent.of(2, 4));
  }

  /** The end of the name of a screenshot. */
  String suffix() {
    return "-" + width + "-" + scheme.name().toLowerCase(Locale.ROOT) + ".png";
  }
}
