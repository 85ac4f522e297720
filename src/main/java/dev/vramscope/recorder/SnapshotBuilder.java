package dev.vramscope.recorder;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Builds snapshots of live allocators, with their history if it is recorded. */
public final class SnapshotBuilder {
  private static final String FORMAT = "live allocator";
  private static final String PRODUCER = "vramscope";

  private final InstantSource clock;
  private final FrameTable frames;
  private final ContextTree tree;

  /** Both clocks, read once, so that an event has the same time in every snapshot. */
  private final long anchorMicros;

  private final long anchorNanos;

  SnapshotBuilder(InstantSource clock, LongSupplier nanoTime, FrameTable frames, ContextTree tree) {
    this.clock = clock;
    this.frames = frames;
    this.tree = tree;
    anchorMicros = micros(clock.instant());
    anchorNanos = nanoTime.getAsLong();
  }

  /** The state of one allocator, without history. */
  public static Snapshot of(Allocator allocator, int ordinal, Instant now) {
    List<Segment> segments = new ArrayList<>();
    allocator
        .inspect()
        .visitSegments(view -> segments.add(segment(view, StackTable.NONE, _ -> StackTable.NONE)));
    return new Snapshot(
        new Origin(FORMAT, PRODUCER, micros(now)),
        settings(allocator),
        List.of(new DeviceSnapshot(ordinal, segments, Trace.EMPTY, List.of())),
        StackTable.EMPTY,
        List.of());
  }

  NumberedSnapshot build(List<RecordedAllocator> allocators) {
    Stacks stacks = new Stacks(frames, tree);
    Map<Integer, Long> firstEvents = new HashMap<>();
    List<DeviceSnapshot> devices = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    Optional<AllocatorSettings> settings = Optional.empty();
    for (RecordedAllocator recorded : allocators) {
      devices.add(device(recorded, stacks, findings, firstEvents));
      settings = settings.isPresent() ? settings : settings(recorded);
    }
    long dropped = tree.droppedCount() + frames.droppedCount();
    if (dropped > 0) {
      findings.add(FindingKind.CONTEXTS_DROPPED.counted(dropped));
    }
    return new NumberedSnapshot(
        new Snapshot(
            new Origin(FORMAT, PRODUCER, micros(clock.instant())),
            settings,
            devices,
            stacks.table(),
            findings),
        firstEvents);
  }

  private DeviceSnapshot device(
      RecordedAllocator recorded,
      Stacks stacks,
      List<Finding> findings,
      Map<Integer, Long> firstEvents) {
    List<SegmentView> views = new ArrayList<>();
    RecordedEvents.State state = recorded.history().capture(recorded.allocator(), views::add);
    EventCopy events = state.ring().copy(state.end());
    firstEvents.put(recorded.ordinal(), events.firstNumber());
    if (events.overwrittenCount() > 0) {
      findings.add(
          FindingKind.RING_WRAPPED_COUNTED.finding(
              events.overwrittenCount(),
              recorded.ordinal(),
              events.to() - events.from(),
              events.overwrittenCount()));
    }
    List<Segment> segments = new ArrayList<>();
    for (SegmentView view : views) {
      segments.add(
          segment(
              view,
              stacks.of(state.segments().get(view.address())),
              block -> stacks.of(state.blocks().get(block.address()))));
    }
    return new DeviceSnapshot(
        recorded.ordinal(), segments, trace(recorded, events, stacks), List.of(), state.facts());
  }

  private Trace trace(RecordedAllocator recorded, EventCopy events, Stacks stacks) {
    Trace.Builder trace = new Trace.Builder();
    List<PoolId> pools = new ArrayList<>();
    for (int event = events.from(); event < events.to(); event++) {
      TraceAction action = TraceAction.ofCode((byte) events.action(event));
      boolean oom = action == TraceAction.OOM;
      int row = trace.add(action, oom ? 0 : events.address(event), events.bytes(event));
      if (oom) {
        trace.oom(row, events.bytes(event), events.address(event));
      }
      trace.stream(row, events.stream(event));
      if (action == TraceAction.ANNOTATE) {
        trace.userMetadata(row, text(events.context(event)));
      } else {
        trace.stack(row, stacks.of(events.context(event)));
      }
      trace.timeMicros(row, anchorMicros + Math.floorDiv(events.nanos(event) - anchorNanos, 1000));
      for (int number = pools.size(); number <= events.pool(event); number++) {
        pools.add(recorded.inspect().poolId(number));
      }
      trace.pool(row, pools.get(events.pool(event)));
    }
    return trace.build();
  }

  private String text(int number) {
    return number == FrameTable.NONE ? "" : frames.frame(number).name();
  }

  /** The stack of a block's allocation. */
  @FunctionalInterface
  private interface StackOfBlock {
    int of(BlockView block);
  }

  private static Segment segment(SegmentView view, int stack, StackOfBlock stacks) {
    List<Block> blocks = new ArrayList<>();
    for (BlockView block : view.blocks()) {
      boolean active = block.state().isActive();
      blocks.add(
          new Block(
              block.address(),
              block.bytes(),
              active ? block.requestedBytes() : Block.UNKNOWN,
              block.state(),
              active ? stacks.of(block) : StackTable.NONE));
    }
    return new Segment(
        view.address(),
        view.bytes(),
        view.stream(),
        view.large() ? PoolKind.LARGE : PoolKind.SMALL,
        view.pool(),
        view.expandable(),
        stack,
        blocks);
  }

  private static Optional<AllocatorSettings> settings(Allocator allocator) {
    Map<String, String> settings = allocator.inspect().settings();
    return settings.isEmpty() ? Optional.empty() : Optional.of(new AllocatorSettings(settings));
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
