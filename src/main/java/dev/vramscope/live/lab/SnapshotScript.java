package dev.vramscope.live.lab;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.device.Streams;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last events of a recording as a script. What was live before them is allocated first, in the
 * order of its allocation, so the segments are not those of the recording. A free that waited for a
 * stream waits for a kernel, on a stream of which the recording does not tell the number. More than
 * eight streams share the last one.
 */
public final class SnapshotScript {
  /** How the label begins after which the events come. */
  private static final String EVENTS = "event ";

  private final Trace trace;
  private final Lifetimes lifetimes;
  private final int first;
  private final List<Operation> operations = new ArrayList<>();

  /** The event that completes the latest free that waits for a stream, by stream. */
  private final int[] lastCompletion = new int[Script.MAX_STREAM + 1];

  /** The streams that freed allocations wait for. */
  private final Map<Integer, Integer> awaited = new HashMap<>();

  /** The allocations that events of the script free, or complete the free of. */
  private final Map<Integer, Integer> freed = new HashMap<>();

  /** The streams of the recording, by the order in which they appear. */
  private final Map<Long, Integer> streams = new HashMap<>();

  private SnapshotScript(DeviceSnapshot device, Lifetimes lifetimes, int events) {
    trace = device.trace();
    this.lifetimes = lifetimes;
    first = Math.max(0, trace.size() - events);
    streams.put(0L, Streams.DEFAULT);
  }

  /**
   * The script.
   *
   * @param events of the end of the trace; fewer if the trace has fewer
   * @throws ScriptException if the live blocks and the events are more than a script may have
   */
  public static Script of(DeviceSnapshot device, Lifetimes lifetimes, int events) {
    return new SnapshotScript(device, lifetimes, events).script();
  }

  /** The operations of {@link #of} before the first event. */
  public static int openingOperations(Script script) {
    for (int i = 0; i < script.operations().size(); i++) {
      if (script.operations().get(i) instanceof Operation.Label label
          && label.label().startsWith(EVENTS)) {
        return i;
      }
    }
    return script.operations().size();
  }

  private Script script() {
    add(new Operation.Label("live before event " + first));
    for (int row : lifetimes.activeAt(first - 1)) {
      allocate(row);
      noteFree(row);
    }
    for (int row = lifetimes.firstAllocatedFrom(first); row < lifetimes.size(); row++) {
      noteFree(row);
    }
    add(new Operation.Label(EVENTS + first + " and later"));
    for (int event = first; event < trace.size(); event++) {
      add(event);
    }
    return new Script(operations);
  }

  private void add(int event) {
    switch (trace.action(event)) {
      case ALLOC -> allocate(lifetimes.firstAllocatedFrom(event));
      case FREE_REQUESTED -> {
        if (freed.containsKey(event)) {
          free(freed.get(event), event);
        }
      }
      case FREE_COMPLETED -> {
        if (freed.containsKey(event)) {
          complete(freed.get(event), event);
        }
      }
      case OOM ->
          add(
              new Operation.Allocate(
                  lifetimes.size() + (long) event,
                  trace.bytes(event),
                  stream(trace.stream(event))));
      default -> {
        // Segments follow from the allocator, not from the script.
      }
    }
  }

  private void noteFree(int row) {
    freed.put(lifetimes.freeRequestedEvent(row), row);
    freed.put(lifetimes.freeCompletedEvent(row), row);
  }

  private void allocate(int row) {
    long requested = lifetimes.requestedBytes(row);
    long bytes = requested > 0 ? requested : lifetimes.bytes(row);
    if (bytes > 0) {
      add(new Operation.Allocate(row, bytes, stream(lifetimes.stream(row))));
    }
  }

  private void free(int row, int event) {
    int completed = lifetimes.freeCompletedEvent(row);
    if (completed != event + 1) {
      int other = awaitedStream(row, completed);
      awaited.put(row, other);
      add(new Operation.Launch(row, other));
      add(new Operation.RecordStream(row, other));
    }
    add(new Operation.Free(row));
  }

  /**
   * A stream other than the allocation's own, on which frees complete in the order in which they
   * were requested; the recording has such streams, but not their numbers.
   */
  private int awaitedStream(int row, int completed) {
    int own = stream(lifetimes.stream(row));
    int best = -1;
    for (int stream = 1; stream <= Script.MAX_STREAM; stream++) {
      if (stream != own && (best < 0 || lastCompletion[best] > completed)) {
        best = stream;
      }
    }
    lastCompletion[best] = Math.max(lastCompletion[best], completed);
    return best;
  }

  private void complete(int row, int event) {
    int requested = lifetimes.freeRequestedEvent(row);
    boolean isKnown = requested >= first && requested < event;
    if (!isKnown) {
      add(new Operation.Free(row));
    } else if (requested != event - 1) {
      add(new Operation.Finish(awaited.getOrDefault(row, 1)));
    }
  }

  private int stream(long recorded) {
    return streams.computeIfAbsent(recorded, _ -> Math.min(streams.size(), Script.MAX_STREAM));
  }

  private void add(Operation operation) {
    if (operations.size() >= Script.MAX_OPERATIONS) {
      throw new ScriptException(
          "The blocks that were live before these events, and the events, are more than "
              + Script.MAX_OPERATIONS
              + " operations",
          "events",
          "Take fewer events, or replay the whole recording on the page What if.");
    }
    operations.add(operation);
  }
}
