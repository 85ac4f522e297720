package dev.vramscope.web.timeline;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import org.jspecify.annotations.Nullable;

/** Checks the parameters of a chart over events. */
final class ChartParameters {
  private static final int MAX_PIXELS = 8192;

  private ChartParameters() {}

  /**
   * The events from {@code from} to {@code to} (exclusive) of a device's trace.
   *
   * @param to null for the end of the trace; past it is the same
   */
  static EventWindow window(DeviceInspection device, int from, @Nullable Integer to) {
    int eventCount = device.device().trace().size();
    int end = to == null ? eventCount : to;
    if (from < 0 || from > eventCount) {
      throw RefusedRequestException.badParameter("from", from, "0 to " + eventCount);
    }
    if (end < from) {
      throw RefusedRequestException.badParameter("to", end, "from (" + from + ") or more");
    }
    return new EventWindow(from, end).within(eventCount);
  }

  static void requirePixels(String parameter, int pixels) {
    if (pixels < 1 || pixels > MAX_PIXELS) {
      throw RefusedRequestException.badParameter(parameter, pixels, "1 to " + MAX_PIXELS);
    }
  }
}
