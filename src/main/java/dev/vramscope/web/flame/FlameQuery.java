package dev.vramscope.web.flame;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FlameGraph;
import dev.vramscope.analysis.stacks.ShownFrames;
import dev.vramscope.analysis.stacks.StackWeights;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.StackTable;
import dev.vramscope.web.display.GroupedDigits;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a flame graph shows, as the parameters of a request; a blank parameter is a missing one.
 *
 * @param measure see {@link Measure}; by default live
 * @param at the moment of live or free memory: peak, end, or the number of an event
 * @param from the first event of the window of allocated or held memory
 * @param to the event after the last one
 * @param frames all, python or user; by default python
 * @param inverted whether callers are below the frames that they call
 */
public record FlameQuery(
    @Nullable String measure,
    @Nullable String at,
    @Nullable Integer from,
    @Nullable Integer to,
    @Nullable String frames,
    @Nullable Boolean inverted) {
  private static final Pattern EVENT = Pattern.compile("[0-9]{1,10}");

  /** What is summed up by stack. */
  enum Measure {
    LIVE("live at a moment"),
    ALLOCATED("allocated in a window"),
    HELD("bytes × events held"),
    NEVER("never freed"),
    FREE("free, by its last allocation");

    private final String label;

    Measure(String label) {
      this.label = label;
    }

    /** Text for a choice on a page. */
    public String label() {
      return label;
    }

    /** The value of the parameter. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it needs the events of the recording. */
    public boolean needsTrace() {
      return this != LIVE;
    }

    boolean isAtMoment() {
      return this == LIVE || this == FREE;
    }
  }

  public FlameQuery {
    measure = measure == null || measure.isBlank() ? null : measure;
    at = at == null || at.isBlank() ? null : GroupedDigits.ungrouped(at.strip());
    frames = frames == null || frames.isBlank() ? null : frames;
  }

  /**
   * The query without the parameters that mean nothing on this device, for a page that opens
   * nevertheless.
   *
   * @param notes receives sentences on each of them
   */
  FlameQuery corrected(DeviceInspection device, Consumer<String> notes) {
    FlameQuery query = this;
    if (isRefused(query::what, notes)) {
      query = new FlameQuery(null, at, from, to, frames, inverted);
    }
    if (isRefused(query::shownFrames, notes)) {
      query = new FlameQuery(query.measure, at, from, to, null, inverted);
    }
    FlameQuery choice = query;
    if (isRefused(() -> choice.event(device), notes)) {
      query = new FlameQuery(query.measure, null, from, to, query.frames, inverted);
    }
    return isRefused(() -> choice.window(device), notes)
        ? new FlameQuery(query.measure, query.at, null, null, query.frames, inverted)
        : query;
  }

  private static boolean isRefused(Supplier<?> parameter, Consumer<String> notes) {
    try {
      var _ = parameter.get();
      return false;
    } catch (RefusedRequestException refused) {
      notes.accept(refused.sentences());
      return true;
    }
  }

  /** What is summed up. */
  public Measure what() {
    if (measure == null) {
      return Measure.LIVE;
    }
    return Arrays.stream(Measure.values())
        .filter(each -> each.id().equals(measure))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedRequestException.badParameter(
                    "measure", measure, "live, allocated, held, never or free"));
  }

  /** The unit of all amounts. */
  String unit() {
    return what() == Measure.HELD ? "byte-events" : "bytes";
  }

  public ShownFrames shownFrames() {
    return shownFrames(frames);
  }

  /** A choice of the frames on the page. */
  record FrameChoice(String id, String label, boolean isSelected) {}

  List<FrameChoice> frameChoices() {
    ShownFrames shownFrames = shownFrames();
    return List.of(
        new FrameChoice("python", "own code and packages", shownFrames == ShownFrames.PYTHON),
        new FrameChoice("user", "own code only", shownFrames == ShownFrames.USER),
        new FrameChoice("all", "all, with C++", shownFrames == ShownFrames.ALL));
  }

  /** The frames that a parameter selects; by default python. */
  public static ShownFrames shownFrames(@Nullable String frames) {
    String wanted = frames == null || frames.isBlank() ? "python" : frames;
    return switch (wanted) {
      case "all" -> ShownFrames.ALL;
      case "python" -> ShownFrames.PYTHON;
      case "user" -> ShownFrames.USER;
      default ->
          throw RefusedRequestException.badParameter("frames", wanted, "all, python or user");
    };
  }

  FlameGraph.Direction direction() {
    return Boolean.TRUE.equals(inverted)
        ? FlameGraph.Direction.CALLERS
        : FlameGraph.Direction.CALLEES;
  }

  /**
   * The event after which memory is live or free; {@link Lifetimes#BEFORE_RECORDING} for a peak
   * before the first event.
   */
  int event(DeviceInspection device) {
    int eventCount = device.device().trace().size();
    String moment = at == null ? "peak" : at;
    return switch (moment) {
      case "peak" -> device.active().peakEvent();
      case "end" -> eventCount - 1;
      default -> {
        if (EVENT.matcher(moment).matches() && Long.parseLong(moment) < eventCount) {
          yield Integer.parseInt(moment);
        }
        throw RefusedRequestException.badParameter(
            "at",
            moment,
            eventCount == 0
                ? "peak or end"
                : "peak, end, or an event from 0 to " + (eventCount - 1));
      }
    };
  }

  /** The window of events; by default the whole trace. */
  EventWindow window(DeviceInspection device) {
    int eventCount = device.device().trace().size();
    int first = from == null ? 0 : from;
    int end = to == null ? eventCount : to;
    if (first < 0 || first > eventCount) {
      throw RefusedRequestException.badParameter("from", first, "0 to " + eventCount);
    }
    if (end < first) {
      throw RefusedRequestException.badParameter("to", end, "from (" + first + ") or more");
    }
    return new EventWindow(first, end).within(eventCount);
  }

  /** The amounts by stack. */
  StackWeights weights(SnapshotInspection snapshot, DeviceInspection device) {
    Lifetimes lifetimes = device.lifetimes();
    StackTable stacks = snapshot.snapshot().stacks();
    EventWindow window = window(device);
    return switch (what()) {
      case LIVE -> StackWeights.live(lifetimes, stacks, event(device));
      case ALLOCATED -> StackWeights.allocated(lifetimes, stacks, window);
      case HELD -> StackWeights.held(lifetimes, stacks, window);
      case NEVER -> StackWeights.neverFreed(lifetimes, stacks);
      case FREE ->
          StackWeights.lastHolders(
              device.device(),
              device.moments().state(event(device)),
              lifetimes,
              device.sizes(),
              stacks);
    };
  }

  public static List<Integer> path(@Nullable String path, int frameCount) {
    if (path == null || path.isBlank()) {
      return List.of();
    }
    if (!path.matches("[0-9]{1,9}([.][0-9]{1,9}){0,2000}")) {
      throw RefusedRequestException.badParameter(
          "path",
          path.substring(0, Math.min(40, path.length())),
          "numbers of frames, as in 3.17.4");
    }
    List<Integer> frames = Arrays.stream(path.split("\\.", -1)).map(Integer::parseInt).toList();
    if (frames.stream().anyMatch(frame -> frame >= frameCount)) {
      throw RefusedRequestException.badParameter(
          "path", path.substring(0, Math.min(40, path.length())), "frames below " + frameCount);
    }
    return frames;
  }
}
