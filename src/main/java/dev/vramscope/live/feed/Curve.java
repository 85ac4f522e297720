package dev.vramscope.live.feed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The points of the last minute. Not thread-safe. */
final class Curve {
  static final long KEPT_MILLIS = 60_000;

  /** The number of past points in the first frame of a viewer. */
  private static final int PAST_POINTS = 600;

  private final Deque<CurvePoint> points = new ArrayDeque<>();

  void add(CurvePoint point) {
    points.add(point);
    while (points.element().millis() < point.millis() - KEPT_MILLIS) {
      points.remove();
    }
  }

  /**
   * The points after a version. After version 0, all points, thinned out with their extremes and
   * gaps preserved.
   */
  List<CurvePoint> since(long version) {
    if (version == 0) {
      return thinned();
    }
    Deque<CurvePoint> newer = new ArrayDeque<>();
    for (var each = points.descendingIterator(); each.hasNext(); ) {
      CurvePoint point = each.next();
      if (point.version() <= version) {
        break;
      }
      newer.addFirst(point);
    }
    return List.copyOf(newer);
  }

  private List<CurvePoint> thinned() {
    int each = points.size() / PAST_POINTS + 1;
    List<CurvePoint> thin = new ArrayList<>();
    int since = 0;
    for (CurvePoint point : points) {
      if (since++ % each == 0 || point.afterGap()) {
        thin.add(point);
      } else {
        thin.add(thin.removeLast().with(point));
      }
    }
    return thin;
  }
}
