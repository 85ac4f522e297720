package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.display.GroupedDigits;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a user looks at, the same on all pages of a snapshot: the tabs carry it from page to page as
 * parameters of the URL. A value that selects nothing on this device is left out. {@code
 * model/view-parameters.ts} has the same parameters.
 *
 * @param window the visible events ({@code from}, {@code to})
 * @param event the event under the cursor ({@code event}, on the flame graph also {@code at})
 * @param allocation the row of the selected allocation ({@code sel})
 * @param range the marked events ({@code range})
 * @param text what is searched for in stacks ({@code text})
 */
record ViewParameters(
    @Nullable EventWindow window,
    @Nullable Integer event,
    @Nullable Integer allocation,
    @Nullable EventWindow range,
    @Nullable String text) {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  /** The view in the URL of a request. */
  static ViewParameters of(HttpServletRequest request, DeviceInspection device) {
    int eventCount = device.device().trace().size();
    Integer from = number(request, "from", eventCount);
    Integer to = number(request, "to", Integer.MAX_VALUE);
    Integer event = number(request, "event", eventCount);
    // Lifetimes are not computed for a page that selects nothing.
    Integer allocation = number(request, "sel", Integer.MAX_VALUE);
    return new ViewParameters(
        from != null && to != null && to > from
            ? new EventWindow(from, to).within(eventCount)
            : null,
        event != null ? event : number(request, "at", eventCount),
        allocation != null && allocation < device.lifetimes().size() ? allocation : null,
        RangeSelection.of(request.getParameter("range"), device).window(),
        text(request));
  }

  private static @Nullable Integer number(HttpServletRequest request, String name, int end) {
    String text = request.getParameter(name);
    String digits = text == null ? "" : GroupedDigits.ungrouped(text.strip());
    if (!NUMBER.matcher(digits).matches()) {
      return null;
    }
    int number = Integer.parseInt(digits);
    return number < end ? number : null;
  }

  private static @Nullable String text(HttpServletRequest request) {
    String text = request.getParameter("text");
    // The text of a POST is an attached log, not a search.
    return text == null
            || text.isBlank()
            || text.length() > EventQuery.MAX_TEXT
            || !request.getMethod().equals("GET")
        ? null
        : text.strip();
  }

  ViewParameters withAllocation(int row) {
    return new ViewParameters(window, event, row, range, text);
  }

  /** Adds the view to the URL of a page. */
  String on(String url) {
    StringBuilder query = new StringBuilder();
    if (window != null) {
      query.append("&from=").append(window.from()).append("&to=").append(window.to());
    }
    append(query, "event", event);
    append(query, "sel", allocation);
    append(query, "range", range == null ? null : range.from() + "-" + range.to());
    append(query, "text", text == null ? null : URLEncoder.encode(text, StandardCharsets.UTF_8));
    return query.isEmpty() || url.contains("?") ? url + query : url + "?" + query.substring(1);
  }

  private static void append(StringBuilder query, String name, @Nullable Object value) {
    if (value != null) {
      query.append('&').append(name).append('=').append(value);
    }
  }
}
