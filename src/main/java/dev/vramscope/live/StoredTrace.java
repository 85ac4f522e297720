package dev.vramscope.live;

import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Trace;
import dev.vramscope.recorder.NumberedSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * A stored snapshot of a hosted allocator, with the numbers of the events in its trace.
 *
 * @param snapshot its id in the store
 * @param firstEvent the number of the trace's first event
 * @param failures the failed requests in the trace
 */
record StoredTrace(String snapshot, long firstEvent, List<OomEvent> failures) {
  static StoredTrace of(String id, NumberedSnapshot captured, int ordinal) {
    Trace trace = captured.snapshot().devices().getFirst().trace();
    return new StoredTrace(id, captured.firstEvent(ordinal), trace.ooms());
  }

  /** The failed request with this event number, if the trace contains it. */
  Optional<TracePosition> positionOf(long event) {
    for (int oom = 0; oom < failures.size(); oom++) {
      int row = failures.get(oom).event();
      if (row + firstEvent == event) {
        return Optional.of(new TracePosition(snapshot, row, oom));
      }
    }
    return Optional.empty();
  }
}
