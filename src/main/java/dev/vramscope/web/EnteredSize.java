package dev.vramscope.web;

import dev.vramscope.analysis.RecordedDevice;
import dev.vramscope.evidence.FailureText;
import dev.vramscope.evidence.Quantity;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;

/**
 * The size of a device that the user entered: the parameter {@code total}, a size or the message of
 * the failure from a log. What the recording disproves is not used.
 *
 * @param text as entered, or null
 * @param bytes empty if no size was entered, or a disproved one
 * @param allowed what the recording allows if the text is disproved, or null
 * @param source what was taken from a message, or null
 */
record EnteredSize(
    @Nullable String text, OptionalLong bytes, @Nullable String allowed, @Nullable String source) {
  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final String NAME = "total";
  private static final int MAX_SHOWN = 5;

  static EnteredSize of(@Nullable String text, LoadedDevice device) {
    Optional<FailureText> message = text == null ? Optional.empty() : FailureText.parse(text);
    if (message.isPresent()) {
      return ofMessage(text, message.get(), device);
    }
    OptionalLong entered = SizeParameter.of(NAME, text);
    RecordedDevice.Bound least = device.leastTotal();
    return entered.isEmpty() || entered.getAsLong() >= least.bytes()
        ? new EnteredSize(text, entered, null, null)
        : refused(text, atLeast(least));
  }

  /** The size in a message, if neither it nor the failed request contradicts the recording. */
  private static EnteredSize ofMessage(
      @Nullable String text, FailureText message, LoadedDevice device) {
    if (message.total().isEmpty()) {
      return refused(text, "a message with the total capacity of the device, or a size");
    }
    if (message.requested().isPresent() && !isRecorded(message.requested().get(), device)) {
      return refused(
          text,
          "the message of a failure of this recording. The one in the text requested "
              + shown(message.requested().get())
              + ", those in the recording "
              + device.ooms().stream()
                  .map(oom -> FORMAT.bytes(oom.requestedBytes()))
                  .distinct()
                  .limit(MAX_SHOWN)
                  .collect(Collectors.joining(", ")));
    }
    Quantity total = message.total().get();
    RecordedDevice.Bound least = device.leastTotal();
    if (total.bytes() + total.errorBytes() < least.bytes()) {
      return refused(text, atLeast(least) + ". The text has " + shown(total));
    }
    long bytes = Math.max(total.bytes(), least.bytes()); // The bound is within the rounding.
    return new EnteredSize(
        text,
        OptionalLong.of(bytes),
        null,
        "From the message: total capacity " + shown(total) + rest(message));
  }

  /** The parts of a message that no row of a ledger takes over, with their numbers. */
  private static String rest(FailureText message) {
    StringBuilder rest = new StringBuilder();
    message.thisProcess().ifPresent(own -> rest.append(", this process ").append(shown(own)));
    message
        .otherProcesses()
        .forEach(other -> rest.append(", another process ").append(shown(other.memory())));
    return rest.append('.').toString();
  }

  private static boolean isRecorded(Quantity requested, LoadedDevice device) {
    return device.ooms().isEmpty()
        || device.ooms().stream().anyMatch(oom -> requested.mayBe(oom.requestedBytes()));
  }

  private static String shown(Quantity quantity) {
    return FORMAT.bytes(quantity.bytes())
        + (quantity.errorBytes() == 0
            ? ""
            : " ± " + FORMAT.bytes(quantity.errorBytes()) + " (rounded in the text)");
  }

  private static EnteredSize refused(@Nullable String text, String allowed) {
    return new EnteredSize(text, OptionalLong.empty(), allowed, null);
  }

  private static String atLeast(RecordedDevice.Bound least) {
    return "at least "
        + FORMAT.bytes(least.bytes())
        + " ("
        + FORMAT.exact(least.bytes())
        + "). "
        + least.reason();
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
    model.addAttribute("totalSource", entered.source);
    if (entered.allowed != null) {
      model.addAttribute("totalProblem", "Not used. Allowed: " + entered.allowed + ".");
      response.setStatus(HttpStatus.BAD_REQUEST.value());
    }
    return entered.bytes;
  }
}
