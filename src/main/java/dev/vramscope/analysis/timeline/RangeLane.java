package dev.vramscope.analysis.timeline;

import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.steps.StepTable;
import dev.vramscope.model.IntColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Ranges of events that do not overlap, in ascending order, of which a chart shows a part. */
public final class RangeLane {
  private final IntColumn from;
  private final IntColumn to;
  private final List<String> names;

  private RangeLane(IntColumn from, IntColumn to, List<String> names) {
    this.from = from;
    this.to = to;
    this.names = names;
  }

  /**
   * One range or, of those that are thinner than a pixel, all that begin in the same pixel.
   *
   * @param events from the first event of the first to the last event of the last
   * @param first the index of the first range
   * @param count how many
   */
  public record Shown(EventWindow events, int first, int count) {}

  /** Adds ranges in ascending order. */
  static final class Builder {
    private final IntColumn.Builder from = new IntColumn.Builder();
    private final IntColumn.Builder to = new IntColumn.Builder();
    private final List<String> names = new ArrayList<>();
    private int end;

    /** One past the last event of the last range. */
    int end() {
      return end;
    }

    void add(int first, int last, String name) {
      if (first < end || last <= first) {
        throw new IllegalArgumentException(first + " to " + last + " after " + end);
      }
      from.add(first);
      to.add(last);
      names.add(name);
      end = last;
    }

    RangeLane build() {
      return new RangeLane(from.build(), to.build(), List.copyOf(names));
    }
  }

  /** The steps of a program; they are named by their numbers. */
  public static RangeLane of(StepTable steps) {
    Builder lane = new Builder();
    for (StepTable.Step step : steps.steps()) {
      lane.add(step.window().from(), step.window().to(), "step " + step.number());
    }
    return lane.build();
  }

  public int size() {
    return names.size();
  }

  public EventWindow window(int range) {
    return new EventWindow(from.get(range), to.get(range));
  }

  public String name(int range) {
    return names.get(range);
  }

  /**
   * What a chart of {@code width} pixels shows of {@code window}: at most two entries a pixel,
   * found without looking at all ranges.
   */
  public void show(EventWindow window, int width, Consumer<Shown> consumer) {
    if (window.size() == 0) {
      return;
    }
    double eventsPerPixel = Math.max(1, (double) window.size() / width);
    int range = firstAtOrAfter(to, window.from() + 1);
    while (range < size() && from.get(range) < window.to()) {
      int next = range + 1;
      if (to.get(range) - from.get(range) < eventsPerPixel) {
        double pixel = Math.floor((from.get(range) - window.from()) / eventsPerPixel);
        int end = (int) Math.ceil(window.from() + (pixel + 1) * eventsPerPixel);
        next = Math.max(next, firstAtOrAfter(from, end));
        if (next - 1 > range && to.get(next - 1) - from.get(next - 1) >= eventsPerPixel) {
          next--;
        }
      }
      consumer.accept(
          new Shown(new EventWindow(from.get(range), to.get(next - 1)), range, next - range));
      range = next;
    }
  }

  private static int firstAtOrAfter(IntColumn ascending, int event) {
    int low = 0;
    int high = ascending.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending.get(middle) < event) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
