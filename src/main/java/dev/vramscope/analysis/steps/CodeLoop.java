package dev.vramscope.analysis.steps;

import java.util.List;

/** A loop of the program's code, from its stacks: its iterations as ranges of trace events. */
final class CodeLoop {
  private final Code code;
  private final int from;
  private final int[] starts;
  private final int end;
  private final List<CodeLoop> nested;

  /**
   * A loop.
   *
   * @param code where it is, equal each time that the program runs it
   * @param from its first event, which may be in the middle of an iteration if the recording began
   *     there
   * @param starts the first event of each iteration that is recorded from its start, ascending; at
   *     least two
   * @param end after its last event
   * @param nested the loops that its iterations run, in the order of time; may be added to
   */
  CodeLoop(Code code, int from, int[] starts, int end, List<CodeLoop> nested) {
    this.code = code;
    this.from = from;
    this.starts = starts;
    this.end = end;
    this.nested = nested;
  }

  /**
   * The first line of a loop.
   *
   * @param caller the place that calls its function
   * @param function its function
   * @param head the first position of an iteration, see {@link Activation}
   */
  record Code(int caller, int function, long head) {}

  Code code() {
    return code;
  }

  int from() {
    return from;
  }

  int end() {
    return end;
  }

  List<CodeLoop> nested() {
    return nested;
  }

  /** The number of iterations. */
  int count() {
    return starts.length;
  }

  /** The first event of an iteration. */
  int startOf(int iteration) {
    return starts[iteration];
  }

  /** After the last event of an iteration. */
  int endOf(int iteration) {
    return iteration + 1 < starts.length ? starts[iteration + 1] : end;
  }
}
