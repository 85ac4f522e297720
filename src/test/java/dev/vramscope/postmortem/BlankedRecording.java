package dev.vramscope.postmortem;

import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceEvent;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A recorded failure without some of its data, as a shorter ring, an older PyTorch, or other
 * options of the recorder would have left it.
 *
 * @param failure the number of the failure among those that are left
 */
record BlankedRecording(Snapshot snapshot, int failure, OptionalLong totalBytes) {

  /** What is missing. */
  enum Missing {
    SIZE_OF_DEVICE,
    FREE_MEMORY_OF_DEVICE,
    SETTINGS,
    HALF_OF_TRACE,
    ALMOST_ALL_OF_TRACE,
    ALL_BEFORE_FAILURE,
    ALL_AFTER_FAILURE,
    STACKS,
    TIMES,
    ANNOTATIONS,
    POOLS_OF_EVENTS,
    REQUESTED_SIZES,
    ALL_SEGMENTS,
    LARGEST_SEGMENT,
    SMALLEST_SEGMENT;

    private boolean isOfTrace() {
      return this == HALF_OF_TRACE || this == ALMOST_ALL_OF_TRACE || this == ALL_BEFORE_FAILURE;
    }

    private boolean isOfSegments() {
      return this == ALL_SEGMENTS || this == LARGEST_SEGMENT || this == SMALLEST_SEGMENT;
    }

    /** Whether the rest shows the loss: without its events, no one could miss a segment. */
    boolean isVisibleWithout(Missing other) {
      return !(isOfTrace() && other.isOfSegments()) && !(isOfSegments() && other.isOfTrace());
    }
  }

  static BlankedRecording of(RecordedFailure failure) {
    return new BlankedRecording(
        failure.snapshot(),
        failure.truth().path("failure").asInt(0),
        OptionalLong.of(failure.truth().path("totalBytes").asLong()));
  }

  private DeviceSnapshot device() {
    return snapshot.devices().getFirst();
  }

  OomReport report() {
    return new RecordedFailure(
            "", snapshot, JsonNodeFactory.instance.objectNode().put("failure", failure))
        .report(totalBytes);
  }

  BlankedRecording without(Missing missing) {
    Trace trace = device().trace();
    OomEvent oom = trace.ooms().get(failure);
    return switch (missing) {
      case SIZE_OF_DEVICE -> new BlankedRecording(snapshot, failure, OptionalLong.empty());
      case FREE_MEMORY_OF_DEVICE ->
          withTrace(events(0, trace.size(), UnaryOperator.identity(), false));
      case SETTINGS ->
          new BlankedRecording(
              new Snapshot(
                  snapshot.origin(),
                  Optional.empty(),
                  snapshot.devices(),
                  snapshot.stacks(),
                  snapshot.findings()),
              failure,
              totalBytes);
      case HALF_OF_TRACE -> from(oom.event() / 2);
      case ALMOST_ALL_OF_TRACE -> from(oom.event() - oom.event() / 10);
      case ALL_BEFORE_FAILURE -> from(oom.event());
      case ALL_AFTER_FAILURE ->
          // The state at the end is then another one than that of the failure.
          withTrace(events(0, oom.event() + 1, UnaryOperator.identity(), true));
      case STACKS ->
          withEvents(event -> with(event, StackTable.NONE, event.timeMicros(), event.pool()));
      case TIMES -> withEvents(event -> with(event, event.stack(), Trace.NO_TIME, event.pool()));
      case POOLS_OF_EVENTS ->
          withEvents(event -> with(event, event.stack(), event.timeMicros(), null));
      case ANNOTATIONS -> withDevice(device().segments(), trace, false);
      case REQUESTED_SIZES ->
          withSegments(
              device().segments().stream()
                  .map(
                      segment ->
                          withBlocks(
                              segment,
                              block ->
                                  new Block(
                                      block.address(),
                                      block.bytes(),
                                      Block.UNKNOWN,
                                      block.state(),
                                      block.stack())))
                  .toList());
      case ALL_SEGMENTS -> withSegments(List.of());
      case LARGEST_SEGMENT -> withoutSegment(Segment::bytes);
      case SMALLEST_SEGMENT -> withoutSegment(segment -> -segment.bytes());
    };
  }

  /** Without the events before one, as a ring that has overwritten them. */
  private BlankedRecording from(int first) {
    int lost =
        Math.toIntExact(
            device().trace().ooms().stream().filter(oom -> oom.event() < first).count());
    BlankedRecording rest =
        withTrace(events(first, device().trace().size(), UnaryOperator.identity(), true));
    return new BlankedRecording(rest.snapshot, failure - lost, totalBytes);
  }

  private BlankedRecording withEvents(UnaryOperator<TraceEvent> change) {
    return withTrace(events(0, device().trace().size(), change, true));
  }

  private Trace events(int from, int to, UnaryOperator<TraceEvent> change, boolean isFreeKnown) {
    Trace trace = device().trace();
    Trace.Builder rows = new Trace.Builder();
    for (int i = from; i < to; i++) {
      TraceEvent event = change.apply(trace.event(i));
      int row = rows.add(event.action(), event.address(), event.bytes());
      rows.stream(row, event.stream());
      rows.stack(row, event.stack());
      rows.timeMicros(row, event.timeMicros());
      if (event.pool() != null) {
        rows.pool(row, event.pool());
      }
    }
    for (OomEvent oom : trace.ooms()) {
      if (oom.event() >= from && oom.event() < to) {
        rows.oom(
            oom.event() - from,
            oom.requestedBytes(),
            isFreeKnown ? oom.deviceFreeBytes() : OomEvent.UNKNOWN);
      }
    }
    return rows.build();
  }

  private static TraceEvent with(TraceEvent event, int stack, long time, @Nullable PoolId pool) {
    return new TraceEvent(
        event.index(),
        event.action(),
        event.address(),
        event.bytes(),
        event.stream(),
        stack,
        time,
        pool);
  }

  private static Segment withBlocks(Segment segment, UnaryOperator<Block> change) {
    return new Segment(
        segment.address(),
        segment.bytes(),
        segment.stream(),
        segment.kind(),
        segment.pool(),
        segment.expandable(),
        segment.stack(),
        segment.blocks().stream().map(change).toList());
  }

  private BlankedRecording withoutSegment(ToLongFunction<Segment> size) {
    Optional<Segment> largest = device().segments().stream().max(Comparator.comparingLong(size));
    return withSegments(
        device().segments().stream()
            .filter(segment -> segment.address() != largest.orElseThrow().address())
            .toList());
  }

  private BlankedRecording withSegments(List<Segment> segments) {
    return withDevice(segments, device().trace(), true);
  }

  private BlankedRecording withTrace(Trace trace) {
    return withDevice(device().segments(), trace, true);
  }

  private BlankedRecording withDevice(List<Segment> segments, Trace trace, boolean hasAnnotations) {
    DeviceSnapshot device = device();
    return new BlankedRecording(
        new Snapshot(
            snapshot.origin(),
            snapshot.settings(),
            List.of(
                new DeviceSnapshot(
                    device.ordinal(),
                    segments,
                    trace,
                    hasAnnotations ? device.annotations() : List.of(),
                    device.facts())),
            snapshot.stacks(),
            snapshot.findings()),
        failure,
        totalBytes);
  }
}
