package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.Trace;

/** The times of a trace's events as an ascending scale, on which a time has one place. */
public final class EventTimes {
  private final Trace trace;
  private final Order order;

  /** Whether times are a scale. */
  public enum Order {
    /** Every event has a time, and none is before that of an earlier event. */
    ASCENDING,
    /** Some event has a time before that of an earlier event. */
    GOES_BACK,
    /**
     * Some event has no time, there are no events, or the times are more than 292,000 years apart.
     */
    NOT_RECORDED
  }

  private EventTimes(Trace trace, Order order) {
    this.trace = trace;
    this.order = order;
  }

  public static EventTimes of(Trace trace) {
    return new EventTimes(trace, orderOf(trace));
  }

  private static Order orderOf(Trace trace) {
    Order order = trace.isEmpty() ? Order.NOT_RECORDED : Order.ASCENDING;
    long before = Long.MIN_VALUE;
    for (int event = 0; event < trace.size(); event++) {
      long time = trace.timeMicros(event);
      if (time == Trace.NO_TIME) {
        return Order.NOT_RECORDED;
      }
      if (time < before) {
        order = Order.GOES_BACK;
      }
      before = time;
    }
    if (order == Order.ASCENDING && before - trace.timeMicros(0) < 0) {
      return Order.NOT_RECORDED;
    }
    return order;
  }

  public Order order() {
    return order;
  }

  public boolean isAscending() {
    return order == Order.ASCENDING;
  }

  /** Number of events, which is the place of a time after all of them. */
  public int eventCount() {
    return trace.size();
  }

  /** Microseconds since 1970. */
  public long at(int event) {
    return trace.timeMicros(event);
  }

  /** The first event at a time or after it; {@link #eventCount} if there is none. */
  public int firstFrom(long timeMicros) {
    requireAscending();
    int low = 0;
    int high = trace.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (trace.timeMicros(middle) < timeMicros) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The first event after a time; {@link #eventCount} if there is none. */
  public int firstAfter(long timeMicros) {
    return timeMicros == Long.MAX_VALUE ? trace.size() : firstFrom(timeMicros + 1);
  }

  private void requireAscending() {
    if (!isAscending()) {
      throw new IllegalStateException("times of events: " + order);
    }
  }
}
