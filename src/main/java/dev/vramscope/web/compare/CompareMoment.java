package dev.vramscope.web.compare;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.display.GroupedDigits;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.regex.Pattern;

/**
 * A moment of a device to compare.
 *
 * @param parameter {@code peak}, {@code end} or the number of an event
 * @param event after this event; before the first one if it is negative
 */
record CompareMoment(String parameter, int event) {
  static final String PEAK = "peak";
  static final String END = "end";

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /**
   * The moment that a parameter selects. Without events, only the end is known.
   *
   * @param name of the parameter
   */
  static CompareMoment of(String name, String text, DeviceInspection device) {
    int count = device.device().trace().size();
    return switch (text) {
      case PEAK -> new CompareMoment(count == 0 ? END : PEAK, device.active().peakEvent());
      case END -> new CompareMoment(END, count - 1);
      default -> {
        String digits = GroupedDigits.ungrouped(text.strip());
        if (!NUMBER.matcher(digits).matches() || Integer.parseInt(digits) >= count) {
          throw RefusedRequestException.badParameter(
              name,
              FORMAT.elided(text, 40),
              count == 0
                  ? "end; device " + device.ordinal() + " has no events"
                  : "peak, end, or an event of device "
                      + device.ordinal()
                      + ", 0 to "
                      + (count - 1));
        }
        yield new CompareMoment(digits, Integer.parseInt(digits));
      }
    };
  }

  public boolean isPeak() {
    return parameter.equals(PEAK);
  }

  public boolean isEnd() {
    return parameter.equals(END);
  }

  /** Such as {@code at its peak}. */
  public String text() {
    return isPeak() ? "at its peak" : isEnd() ? "at the end" : "after event " + FORMAT.count(event);
  }

  /** The order of the sites whose column is this moment. */
  String sitesOrder(DeviceInspection device) {
    return !device.hasEvents() || isEnd() ? "live" : isPeak() ? PEAK : "count";
  }
}
