package dev.vramscope.web.snapshot;

import static dev.vramscope.web.request.TextParameter.strippedOrNull;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.stacks.StackSearch;
import dev.vramscope.analysis.timeline.EventFilter;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.TraceAction;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.SizeParameter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which events of a trace to list, as the parameters of a request; a blank parameter is a missing
 * one.
 *
 * @param action names of PyTorch such as {@code alloc}, separated by commas; {@code free} and
 *     {@code segment} are all of that group
 * @param stream the stream's number
 * @param pool PyTorch's identifier of a pool, {@code (0, 0)}
 * @param min the smallest size
 * @param max the largest size
 * @param address a hexadecimal address in the memory that an event is about
 * @param text words in one frame of the event's stack
 * @param events a range, the first event and the one after the last, as in {@code 100-200}
 * @param site the events of the allocations of one site, see {@link SiteKey}
 */
public record EventQuery(
    @Nullable String action,
    @Nullable String stream,
    @Nullable String pool,
    @Nullable String min,
    @Nullable String max,
    @Nullable String address,
    @Nullable String text,
    @Nullable String events,
    @Nullable String site) {
  /** Selects every event. */
  static final EventQuery ALL =
      new EventQuery(null, null, null, null, null, null, null, null, null);

  static final int MAX_TEXT = 500;

  private static final int MAX_SHOWN = 40;

  private static final Pattern ADDRESS = Pattern.compile("0[xX][0-9a-fA-F]{1,16}");
  private static final Pattern STREAM = Pattern.compile("-?[0-9]{1,19}");
  private static final Pattern POOL = Pattern.compile("\\(?(-?\\d{1,18}), ?(-?\\d{1,18})\\)?");
  private static final Set<TraceAction> FREES =
      EnumSet.of(TraceAction.FREE_REQUESTED, TraceAction.FREE_COMPLETED);
  private static final Set<TraceAction> SEGMENTS =
      EnumSet.of(
          TraceAction.SEGMENT_ALLOC,
          TraceAction.SEGMENT_FREE,
          TraceAction.SEGMENT_MAP,
          TraceAction.SEGMENT_UNMAP);

  public EventQuery {
    action = strippedOrNull(action);
    stream = strippedOrNull(stream);
    pool = strippedOrNull(pool);
    min = strippedOrNull(min);
    max = strippedOrNull(max);
    address = strippedOrNull(address);
    text = strippedOrNull(text);
    events = strippedOrNull(events);
    site = strippedOrNull(site);
  }

  public boolean selectsAll() {
    return equals(ALL);
  }

  /** The parameters for a URL, each after an ampersand. */
  public String parameters() {
    return parameter("action", action)
        + parameter("stream", stream)
        + parameter("pool", pool)
        + parameter("min", min)
        + parameter("max", max)
        + parameter("address", address)
        + parameter("text", text)
        + parameter("events", events)
        + parameter("site", site);
  }

  private static String parameter(String name, @Nullable String value) {
    return value == null ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /**
   * The filter for the trace of a device.
   *
   * @throws RefusedRequestException if a parameter is none of the allowed values
   */
  public EventFilter filter(DeviceInspection device, StackClasses stacks) {
    if (selectsAll()) {
      return EventFilter.ALL;
    }
    return new EventFilter(
        actions(),
        streamNumber(),
        poolId(),
        SizeParameter.of("min", min).orElse(0),
        SizeParameter.of("max", max).orElse(Long.MAX_VALUE),
        addressNumber(),
        search(stacks.stacks()),
        window(device),
        eventsOfSite(device, stacks));
  }

  /**
   * The query, or {@link #ALL} if it cannot be applied to this device, for a page that opens
   * nevertheless.
   *
   * @param notes receives a sentence on the parameter that is not allowed
   */
  public EventQuery corrected(
      DeviceInspection device, StackClasses stacks, Consumer<String> notes) {
    try {
      var _ = filter(device, stacks);
      return this;
    } catch (RefusedRequestException refused) {
      notes.accept(refused.sentences() + " All events are listed.");
      return ALL;
    }
  }

  private @Nullable EventWindow window(DeviceInspection device) {
    RangeSelection range = RangeSelection.of(events, device);
    if (range.note() != null) {
      throw RefusedRequestException.badParameter(
          "events",
          new DisplayFormat().elided(String.valueOf(events), MAX_SHOWN),
          "two numbers, as in 100-200: the first event, and the one after the last, up to "
              + device.device().trace().size());
    }
    return range.window();
  }

  /** The site whose events are selected; null if all are. */
  public Sites.@Nullable Row siteRow(DeviceInspection device, StackClasses stacks) {
    if (site == null) {
      return null;
    }
    Sites.Row row = SiteKey.find(site, device.sites(), stacks);
    if (row == null) {
      throw RefusedRequestException.badParameter(
          "site",
          new DisplayFormat().elided(site, MAX_SHOWN),
          "the number of a stack of one of the sites; none or before for allocations without one");
    }
    return row;
  }

  private @Nullable BitSet eventsOfSite(DeviceInspection device, StackClasses stacks) {
    Sites.Row row = siteRow(device, stacks);
    return row == null ? null : row.events(device.lifetimes(), stacks);
  }

  private Set<TraceAction> actions() {
    Set<TraceAction> actions = EnumSet.noneOf(TraceAction.class);
    if (action != null) {
      for (String name : action.split(",", -1)) {
        actions.addAll(actions(name.strip()));
      }
    }
    return actions;
  }

  private Set<TraceAction> actions(String name) {
    return switch (name) {
      case "free" -> FREES;
      case "segment" -> SEGMENTS;
      case "other" -> EnumSet.of(TraceAction.OTHER);
      default -> {
        TraceAction traceAction = TraceAction.ofTorchName(name);
        if (traceAction == TraceAction.OTHER) {
          throw RefusedRequestException.badParameter(
              "action",
              name,
              "alloc, free, free_requested, free_completed, segment, segment_alloc, segment_free,"
                  + " segment_map, segment_unmap, snapshot, oom, user_defined, annotate or other");
        }
        yield EnumSet.of(traceAction);
      }
    };
  }

  private OptionalLong streamNumber() {
    if (stream == null) {
      return OptionalLong.empty();
    }
    if (STREAM.matcher(stream).matches()) {
      try {
        return OptionalLong.of(Long.parseLong(stream));
      } catch (NumberFormatException _) {
        // More than 64 bits: refused as any other text.
      }
    }
    throw RefusedRequestException.badParameter("stream", stream, "a number");
  }

  private OptionalLong addressNumber() {
    if (address == null) {
      return OptionalLong.empty();
    }
    if (!ADDRESS.matcher(address).matches()) {
      throw RefusedRequestException.badParameter(
          "address", address, "a hexadecimal address, as in 0x7f0b1c000000");
    }
    return OptionalLong.of(Long.parseUnsignedLong(address.substring(2), 16));
  }

  private @Nullable PoolId poolId() {
    if (pool == null) {
      return null;
    }
    Matcher matcher = POOL.matcher(pool);
    if (!matcher.matches()) {
      throw RefusedRequestException.badParameter("pool", pool, "two numbers, as in (0, 0)");
    }
    return new PoolId(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
  }

  private @Nullable StackSearch search(StackTable stacks) {
    return text == null ? null : StackSearch.of(stacks, checked(text));
  }

  /**
   * The words of a search in stacks, which are not blank.
   *
   * @throws RefusedRequestException if they are too long
   */
  public static String checked(String text) {
    if (text.length() > MAX_TEXT) {
      throw RefusedRequestException.badParameter(
          "text", text.substring(0, 40) + "…", "at most " + MAX_TEXT + " characters");
    }
    return text;
  }
}
