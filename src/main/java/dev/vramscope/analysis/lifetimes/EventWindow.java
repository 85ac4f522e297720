package dev.vramscope.analysis.lifetimes;

/** The events {@code from} (inclusive) to {@code to} (exclusive) of a trace. */
public record EventWindow(int from, int to) {
  public EventWindow {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("not a range of events: " + from + " to " + to);
    }
  }

  /** Clips this window to a trace of {@code eventCount} events. */
  public EventWindow within(int eventCount) {
    int end = Math.min(to, eventCount);
    return new EventWindow(Math.min(from, end), end);
  }

  public int size() {
    return to - from;
  }
}
