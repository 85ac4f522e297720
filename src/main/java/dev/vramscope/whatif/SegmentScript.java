package dev.vramscope.whatif;

import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The recorded segment events that one operation caused, in order. The device answers by them, and
 * the events of the replay are compared with them.
 */
final class SegmentScript {
  /** An event that comes in another order is searched among this many. */
  private static final int SEARCHED = 256;

  private final Trace trace;
  private final Deque<Integer> expected = new ArrayDeque<>();
  private final StartEvidence evidence;

  /** The releases among the expected events. */
  private int releases;

  private int compared;
  private int reproduced;

  /**
   * An empty script.
   *
   * @param evidence is told of equal segments that were released in another order
   */
  SegmentScript(Trace trace, StartEvidence evidence) {
    this.trace = trace;
    this.evidence = evidence;
  }

  static boolean isRelease(TraceAction action) {
    return action == TraceAction.SEGMENT_FREE || action == TraceAction.SEGMENT_UNMAP;
  }

  private boolean isRelease(int event) {
    return isRelease(trace.action(event));
  }

  void expect(int event) {
    expected.add(event);
    releases += isRelease(event) ? 1 : 0;
  }

  /** The event that the recording has next, or -1. */
  int next() {
    return expected.isEmpty() ? -1 : expected.getFirst();
  }

  /** Whether the recording has an event of this kind next. */
  boolean nextIs(TraceAction action) {
    return !expected.isEmpty() && trace.action(expected.getFirst()) == action;
  }

  /** Whether the recording releases memory next, which it does when the device has none left. */
  boolean nextReleases() {
    return !expected.isEmpty() && isRelease(expected.getFirst());
  }

  /** Whether the recording releases memory in this operation. */
  boolean containsRelease() {
    return releases > 0;
  }

  /** Whether the last event of the operation releases memory. */
  boolean endsWithRelease() {
    return !expected.isEmpty() && isRelease(expected.getLast());
  }

  /** The events that are still expected. */
  List<Integer> events() {
    return List.copyOf(expected);
  }

  /** Removes the events after the last release and returns them. */
  List<Integer> removeAfterLastRelease() {
    Deque<Integer> rest = new ArrayDeque<>();
    while (!expected.isEmpty() && !endsWithRelease()) {
      rest.addFirst(expected.removeLast());
    }
    return List.copyOf(rest);
  }

  /** Compares an event of the replay with the recording. */
  void replayed(TraceAction action, long address, long bytes) {
    if (expected.isEmpty() || !matches(expected.getFirst(), action, address, bytes)) {
      countDifference(action, address, bytes);
      return;
    }
    releases -= isRelease(expected.removeFirst()) ? 1 : 0;
    compared++;
    reproduced++;
  }

  private void countDifference(TraceAction action, long address, long bytes) {
    compared++;
    if (action == TraceAction.SEGMENT_FREE
        && nextIs(action)
        && trace.bytes(expected.getFirst()) == bytes) {
      evidence.equalBlocks(trace.address(expected.getFirst()), address);
    }
    int searched = 0;
    for (Iterator<Integer> events = expected.iterator();
        events.hasNext() && searched < SEARCHED;
        searched++) {
      if (matches(events.next(), action, address, bytes)) {
        events.remove();
        releases -= isRelease(action) ? 1 : 0;
        return;
      }
    }
  }

  private boolean matches(int event, TraceAction action, long address, long bytes) {
    return trace.action(event) == action
        && trace.address(event) == address
        && trace.bytes(event) == bytes;
  }

  /** The operation is over: what it did not reproduce is counted. */
  void end() {
    compared += expected.size();
    expected.clear();
    releases = 0;
  }

  /** The segment events of the recording, and those that only the replay has. */
  int compared() {
    return compared;
  }

  /** The events that the replay had, too, in the same place of the order. */
  int reproduced() {
    return reproduced;
  }
}
