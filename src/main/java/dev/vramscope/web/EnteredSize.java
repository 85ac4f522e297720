package dev.vramscope.web;

import dev.vramscope.analysis.RecordedDevice;
import jakarta.servlet.http.HttpServletResponse;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;

/**
 * The size of a device that the user entered: the parameter {@code total}. A size that the
 * recording disproves is not used.
 *
 * @param text as entered, or null
 * @param bytes empty if no size was entered, or a disproved one
 * @param allowed what the recording allows if the size is disproved, or null
 */
record EnteredSize(@Nullable String text, OptionalLong bytes, @Nullable String allowed) {
  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final String NAME = "total";

  static EnteredSize of(@Nullable String text, LoadedDevice device) {
    OptionalLong entered = SizeParameter.of(NAME, text);
    RecordedDevice.Bound least = device.leastTotal();
    if (entered.isEmpty() || entered.getAsLong() >= least.bytes()) {
      return new EnteredSize(text, entered, null);
    }
    String allowed =
        "at least "
            + FORMAT.bytes(least.bytes())
            + " ("
            + FORMAT.exact(least.bytes())
            + "). "
            + least.reason();
    return new EnteredSize(text, OptionalLong.empty(), allowed);
  }

  /**
   * The bytes for a response that is data.
   *
   * @throws RefusedRequestException if the recording disproves the size
   */
  static OptionalLong required(@Nullable String text, LoadedDevice device) {
    EnteredSize entered = of(text, device);
    if (entered.allowed != null) {
      throw RefusedRequestException.badParameter(NAME, String.valueOf(text), entered.allowed);
    }
    return entered.bytes;
  }

  /** The bytes for a page. It shows a disproved size with a message at the field. */
  static OptionalLong shown(
      @Nullable String text, LoadedDevice device, Model model, HttpServletResponse response) {
    EnteredSize entered = of(text, device);
    model.addAttribute("total", text);
    if (entered.allowed != null) {
      model.addAttribute("totalProblem", "Not used. Allowed: " + entered.allowed + ".");
      response.setStatus(HttpStatus.BAD_REQUEST.value());
    }
    return entered.bytes;
  }
}
