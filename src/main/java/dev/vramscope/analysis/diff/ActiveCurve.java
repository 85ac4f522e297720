package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.model.Trace;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Active bytes of a device as pixel columns of an axis that it may share with another device. A
 * column has the most active bytes of its part of the axis, so that no peak is missed.
 */
public final class ActiveCurve {
  private final long[] maxBytes;

  private ActiveCurve(long[] maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Number of columns, up to the one with the last event; at least 1. */
  public int size() {
    return maxBytes.length;
  }

  /** The most active bytes in a column. */
  public long maxBytes(int column) {
    return maxBytes[column];
  }

  /**
   * By the number of the event.
   *
   * @param span number of events of the axis, at least that of the trace
   * @param width columns of the axis
   */
  public static ActiveCurve byEvent(ActiveBytes active, long span, int width) {
    return of(active, event -> event, span, width);
  }

  /**
   * By the time since the first event. The clock of a trace does not run backwards; an event with
   * an earlier time than the one before it, or without a time, is drawn at the same place.
   *
   * @param spanMicros length of the axis
   * @param width columns of the axis
   */
  public static ActiveCurve byTime(ActiveBytes active, Trace trace, long spanMicros, int width) {
    long first = trace.timeMicros(0);
    return of(active, event -> sinceFirst(trace, event, first), spanMicros, width);
  }

  /** Microseconds from the first event to the last, or {@link Trace#NO_TIME} if not recorded. */
  public static long lengthMicros(Trace trace) {
    if (trace.isEmpty()
        || trace.timeMicros(0) == Trace.NO_TIME
        || trace.timeMicros(trace.size() - 1) == Trace.NO_TIME) {
      return Trace.NO_TIME;
    }
    return Math.max(0, sinceFirst(trace, trace.size() - 1, trace.timeMicros(0)));
  }

  /** Microseconds from the first event to another one; 0 if that is not known. */
  public static long sinceFirst(Trace trace, int event, long first) {
    long time = trace.timeMicros(event);
    return time == Trace.NO_TIME ? 0 : time - first;
  }

  /** The column of a position on an axis. */
  public static int column(long position, long span, int width) {
    double column = (double) position * width / Math.max(1, span);
    return (int) Math.clamp(column, 0, width - 1);
  }

  private static ActiveCurve of(
      ActiveBytes active, IntToLongFunction position, long span, int width) {
    long[] maxBytes = new long[width];
    int column = 0;
    long bytes = active.baselineBytes();
    maxBytes[0] = bytes;
    for (int event = 0; event < active.eventCount(); event++) {
      int next = Math.max(column, column(position.applyAsLong(event), span, width));
      while (column < next) {
        column++;
        maxBytes[column] = bytes;
      }
      bytes = active.at(event);
      maxBytes[column] = Math.max(maxBytes[column], bytes);
    }
    return new ActiveCurve(Arrays.copyOf(maxBytes, column + 1));
  }
}
