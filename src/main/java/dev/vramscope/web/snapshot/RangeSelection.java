package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.display.GroupedDigits;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The range of events in a page's URL, such as {@code 100-200}. A text that selects no events is no
 * error: the page opens, and a note gives the reason.
 *
 * @param window the events, or null if none are selected
 * @param note a sentence for the user, or null
 */
public record RangeSelection(@Nullable EventWindow window, @Nullable String note) {
  private static final Pattern RANGE =
      Pattern.compile("(\\d{1,9})\\s*(?:[-–—]|\\.\\.|to)\\s*(\\d{1,9})");
  private static final DisplayFormat FORMAT = new DisplayFormat();

  public static RangeSelection of(@Nullable String text, DeviceInspection device) {
    if (text == null || text.isBlank()) {
      return new RangeSelection(null, null);
    }
    Matcher matcher = RANGE.matcher(GroupedDigits.ungrouped(text.strip()));
    int count = device.device().trace().size();
    if (matcher.matches()) {
      int from = Integer.parseInt(matcher.group(1));
      int to = Integer.parseInt(matcher.group(2));
      if (from < count && to > from) {
        return new RangeSelection(new EventWindow(from, to).within(count), null);
      }
    }
    return new RangeSelection(
        null,
        FORMAT.elided(text, 40)
            + " is not a range of events. "
            + (count == 0
                ? device.device().label() + " has no events."
                : "A range is two numbers, such as 0-"
                    + count
                    + ": the first event, and the one after the last. Device "
                    + device.ordinal()
                    + " has events 0 to "
                    + FORMAT.count(count - 1)
                    + "."));
  }
}
