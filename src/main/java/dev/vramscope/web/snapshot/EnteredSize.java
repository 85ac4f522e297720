package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.ledger.EvidenceMatch.Result;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.evidence.FailureText;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.SizeParameter;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;

/**
 * The size of a device that the user entered for one request: the parameter {@code total}, a size
 * or the message of the failure from a log. It comes before attached evidence. What the recording
 * disproves is not used.
 *
 * @param evidence what is entered or else attached
 * @param refused why the text is not used, or null
 * @param note what was taken from it, or null
 */
public record EnteredSize(
    DeviceEvidence evidence, @Nullable Refusal refused, @Nullable String note) {
  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final String NAME = "total";

  /** Why a text is not used, and what would be. */
  record Refusal(String what, String next) {}

  static EnteredSize of(@Nullable String text, DeviceInspection device) {
    DeviceEvidence attached = device.evidence().combined();
    Optional<FailureText> message = text == null ? Optional.empty() : FailureText.parse(text);
    if (message.isPresent()) {
      return switch (device.evidence().compare(message.get(), OptionalInt.empty())) {
        case Result.Adds(DeviceEvidence entered, String _) ->
            used(entered, attached, device, entered.size().map(size -> size.source()).orElse(""));
        case Result.Contradicts(String what, String next) ->
            new EnteredSize(attached, new Refusal(what, next), null);
      };
    }
    OptionalLong entered = SizeParameter.of(NAME, text);
    if (entered.isEmpty()) {
      return new EnteredSize(attached, null, null);
    }
    RecordedDevice.Bound least = device.leastTotal();
    return entered.getAsLong() < least.bytes()
        ? new EnteredSize(
            attached,
            new Refusal(
                "A device of " + FORMAT.bytes(entered.getAsLong()) + " is too small",
                "Allowed: at least "
                    + FORMAT.bytes(least.bytes())
                    + " ("
                    + FORMAT.exact(least.bytes())
                    + "). "
                    + least.reason()
                    + "."),
            null)
        : used(DeviceEvidence.ofSize(entered), attached, device, "");
  }

  /** Used, unless the recording has another size; says so if it replaces what is attached. */
  private static EnteredSize used(
      DeviceEvidence entered, DeviceEvidence attached, DeviceInspection device, String source) {
    OptionalLong recorded = device.device().facts().deviceBytes();
    boolean isOther =
        recorded.isPresent()
            && entered
                .size()
                .filter(
                    size ->
                        recorded.getAsLong() < size.leastBytes()
                            || recorded.getAsLong() > size.mostBytes())
                .isPresent();
    if (isOther) {
      return new EnteredSize(
          attached,
          new Refusal(
              "The recording contains the size of the device: " + FORMAT.bytes(recorded.orElse(0)),
              "Leave the size out; that of the recording is used."),
          null);
    }
    String note = source.isEmpty() ? "" : source + ".";
    if (attached.size().isPresent()) {
      note +=
          (note.isEmpty() ? "" : " ")
              + "The size of this address is used instead of that of the attached text. ("
              + attached.size().get().source()
              + ".)";
    }
    return new EnteredSize(entered.or(attached), null, note.isEmpty() ? null : note);
  }

  /**
   * What is known for a response that is data.
   *
   * @throws RefusedRequestException if the recording disproves the size
   */
  public static DeviceEvidence required(@Nullable String text, DeviceInspection device) {
    EnteredSize entered = of(text, device);
    if (entered.refused != null) {
      throw RefusedRequestException.badEvidence(
          entered.refused.what, "parameter " + NAME, entered.refused.next);
    }
    return entered.evidence;
  }

  /** What is known for a page. It shows a disproved size with a message at the field. */
  public static DeviceEvidence forPage(
      @Nullable String text, DeviceInspection device, Model model, HttpServletResponse response) {
    EnteredSize entered = of(text, device);
    model.addAttribute(NAME, text);
    model.addAttribute("totalSource", entered.note);
    if (entered.refused != null) {
      model.addAttribute(
          "totalProblem", "Not used. " + entered.refused.what + ". " + entered.refused.next);
      response.setStatus(ProblemAdvice.status(RefusedRequestException.Kind.EVIDENCE).value());
    }
    return entered.evidence;
  }
}
