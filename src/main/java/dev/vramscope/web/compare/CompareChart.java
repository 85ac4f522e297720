package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.ActiveCurve;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Trace;
import dev.vramscope.web.compare.CompareForm.Axis;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.display.RoundTicks;
import dev.vramscope.web.snapshot.Tab;
import java.util.ArrayList;
import java.util.List;

/**
 * The active bytes of both sides over one axis, with one scale. Paths are in units of columns and
 * {@link #HEIGHT}; marks and ticks are percentages, from the left and from the top.
 *
 * @param curves of the sides with events; one if both are the same device
 * @param byteTicks the lines of the grid
 * @param axisTicks numbers of events, or microseconds since the first event
 * @param hasTimes whether the events have times, so that both axes can be chosen
 */
public record CompareChart(
    List<Curve> curves,
    List<Tick> byteTicks,
    List<Tick> axisTicks,
    boolean isByTime,
    boolean hasTimes) {
  static final int WIDTH = 800;
  static final int HEIGHT = 200;
  private static final int AXIS_TICKS = 5;
  private static final int BYTE_TICKS = 5;
  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final int MAX_FAILURES = 20;
  private static final double NEAR_PERCENT = 1.5;
  private static final int MAX_BESIDE = 3;

  /**
   * One side.
   *
   * @param letter A, B, or both for the same device
   */
  record Curve(String letter, String path, List<Mark> marks) {}

  /**
   * A moment of a curve.
   *
   * @param symbol differs by kind, so that it does not depend on colour
   * @param shift in em, so that marks at the same place are beside each other
   * @param text for the tooltip
   */
  record Mark(String symbol, double percent, double shift, String text, String href) {
    private boolean isNear(Mark other) {
      return Math.abs(percent - other.percent) < NEAR_PERCENT;
    }

    /** Beside the marks that are there already, towards the middle of the chart. */
    private Mark beside(List<Mark> others) {
      long near = Math.min(MAX_BESIDE, others.stream().filter(this::isNear).count());
      return new Mark(symbol, percent, percent > 50 ? -near : near, text, href);
    }
  }

  /** A value on an axis. */
  public record Tick(long value, double percent) {}

  private record Scale(Axis axis, long span, long topBytes) {
    int column(Trace trace, int event) {
      long position =
          axis == Axis.EVENT
              ? event
              : event < 0 ? 0 : ActiveCurve.sinceFirst(trace, event, trace.timeMicros(0));
      return ActiveCurve.column(Math.max(0, position), span, WIDTH);
    }

    ActiveCurve curve(DeviceInspection device) {
      return axis == Axis.EVENT
          ? ActiveCurve.byEvent(device.active(), span, WIDTH)
          : ActiveCurve.byTime(device.active(), device.device().trace(), span, WIDTH);
    }
  }

  /** The curves; by event if there are no times. */
  static CompareChart of(Comparison comparison, Axis chosenAxis) {
    List<ComparedDevice> sides =
        (comparison.isSameDevice()
                ? List.of(comparison.a())
                : List.of(comparison.a(), comparison.b()))
            .stream().filter(side -> side.device().hasEvents()).toList();
    boolean hasTimes =
        sides.stream().allMatch(side -> ActiveCurve.lengthMicros(trace(side)) != Trace.NO_TIME);
    Axis axis = hasTimes ? chosenAxis : Axis.EVENT;
    long span = 1;
    long top = 1;
    for (ComparedDevice side : sides) {
      long length = axis == Axis.EVENT ? trace(side).size() : ActiveCurve.lengthMicros(trace(side));
      span = Math.max(span, length);
      top = Math.max(top, side.device().active().peakBytes());
    }
    Scale scale = new Scale(axis, span, top + top / 8);
    List<Curve> curves = new ArrayList<>();
    for (ComparedDevice side : sides) {
      List<Mark> marks = marks(side, scale);
      if (comparison.isSameDevice()) {
        addMoment(comparison.b(), scale, marks);
      }
      curves.add(
          new Curve(
              comparison.isSameDevice() ? "A, B" : side.letter(),
              path(scale.curve(side.device()), scale.topBytes),
              marks));
    }
    return new CompareChart(
        curves, byteTicks(scale.topBytes), axisTicks(axis, span), axis == Axis.TIME, hasTimes);
  }

  public boolean isShown() {
    return !curves.isEmpty();
  }

  private static Trace trace(ComparedDevice side) {
    return side.device().device().trace();
  }

  /** A step after each column that differs from the one before. */
  private static String path(ActiveCurve curve, long topBytes) {
    StringBuilder path = new StringBuilder("M0,").append(y(curve.maxBytes(0), topBytes));
    for (int column = 1; column < curve.size(); column++) {
      if (curve.maxBytes(column) != curve.maxBytes(column - 1)) {
        path.append('H').append(column).append('V').append(y(curve.maxBytes(column), topBytes));
      }
    }
    return path.append('H').append(curve.size()).toString();
  }

  private static double y(long bytes, long topBytes) {
    return Math.round(10.0 * (HEIGHT - (double) bytes * HEIGHT / topBytes)) / 10.0;
  }

  private static List<Mark> marks(ComparedDevice side, Scale scale) {
    List<Mark> marks = new ArrayList<>();
    for (OomEvent oom : side.device().ooms().stream().limit(MAX_FAILURES).toList()) {
      String text = "a request of " + FORMAT.bytes(oom.requestedBytes()) + " failed";
      add(mark(side, scale, "✕", oom.event(), text), marks);
    }
    ActiveBytes active = side.device().active();
    String peak = "peak of " + FORMAT.bytes(active.peakBytes()) + ", requested";
    add(mark(side, scale, "▲", active.peakEvent(), peak), marks);
    addMoment(side, scale, marks);
    return marks;
  }

  /** The compared moment, unless it is the peak, which has a mark of its own. */
  private static void addMoment(ComparedDevice side, Scale scale, List<Mark> marks) {
    if (!side.moment().isPeak()) {
      String text = "compared, " + FORMAT.bytes(side.analyzed().activeBytes()) + " active";
      add(mark(side, scale, "◆", side.moment().event(), text), marks);
    }
  }

  private static void add(Mark mark, List<Mark> marks) {
    marks.add(mark.beside(marks));
  }

  private static Mark mark(
      ComparedDevice side, Scale scale, String symbol, int event, String text) {
    return new Mark(
        symbol,
        100.0 * (scale.column(trace(side), event) + 0.5) / WIDTH,
        0,
        side.letter()
            + ", "
            + (event < 0 ? "before the first event" : "event " + FORMAT.count(event))
            + ": "
            + text,
        event < 0 ? side.links().page(Tab.TIMELINE.path()) : side.links().event(event));
  }

  private static List<Tick> byteTicks(long topBytes) {
    return RoundTicks.bytes(0, topBytes, BYTE_TICKS).stream()
        .map(bytes -> new Tick(bytes, 100 - 100.0 * bytes / topBytes))
        .toList();
  }

  private static List<Tick> axisTicks(Axis axis, long span) {
    List<Long> values =
        axis == Axis.TIME
            ? RoundTicks.micros(0, span, AXIS_TICKS)
            : RoundTicks.counts(0, span, AXIS_TICKS);
    return values.stream().map(value -> new Tick(value, 100.0 * value / span)).toList();
  }
}
