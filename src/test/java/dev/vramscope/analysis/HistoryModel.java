package dev.vramscope.analysis;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A simple, slow caching allocator without expandable segments, which records its complete state
 * after every event. Reconstructed states are compared with it.
 */
public final class HistoryModel {
  private static final long MIB = 1 << 20;
  private static final long BASE = 0x7f00_0000_0000L;

  private final SplittableRandom random;
  private final List<Seg> segments = new ArrayList<>();
  private final List<Blk> live = new ArrayList<>();
  private final List<Blk> pending = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<List<Segment>> states = new ArrayList<>();

  private record Event(TraceAction action, long address, long bytes, long stream) {}

  private static final class Seg {
    long address;
    long bytes;
    long stream;
    PoolKind kind = PoolKind.SMALL;
    final List<Blk> blocks = new ArrayList<>();
  }

  private static final class Blk {
    final Seg segment;
    final long address;
    long bytes;
    long requested;
    BlockState state = BlockState.INACTIVE;

    Blk(Seg segment, long address, long bytes) {
      this.segment = segment;
      this.address = address;
      this.bytes = bytes;
    }
  }

  private HistoryModel(SplittableRandom random) {
    this.random = random;
  }

  /** Runs a random program of this many steps. Event -1 is the state before its first event. */
  public static HistoryModel of(long seed, int steps) {
    HistoryModel model = new HistoryModel(new SplittableRandom(seed));
    for (int step = 0; step < steps; step++) {
      model.step();
    }
    return model;
  }

  private void step() {
    int dice = random.nextInt(100);
    if (dice < 52 || live.isEmpty()) {
      allocate();
    } else if (dice < 92) {
      free(live.remove(random.nextInt(live.size())));
    } else if (dice < 97 && !pending.isEmpty()) {
      complete(pending.remove(random.nextInt(pending.size())));
    } else {
      emptyCache();
    }
  }

  private void allocate() {
    long requested =
        switch (random.nextInt(4)) {
          case 0 -> 1 + random.nextLong(4000);
          case 1 -> 1 + random.nextLong(MIB);
          case 2 -> MIB + random.nextLong(9 * MIB);
          default -> 10 * MIB + random.nextLong(20 * MIB);
        };
    long stream = random.nextInt(3) == 0 ? 7 : 0;
    long rounded = (requested + 511) / 512 * 512;
    PoolKind kind = rounded <= MIB ? PoolKind.SMALL : PoolKind.LARGE;
    Blk block = bestFit(rounded, kind, stream).orElseGet(() -> acquire(rounded, kind, stream));
    long remaining = block.bytes - rounded;
    if (kind == PoolKind.SMALL ? remaining >= 512 : remaining > MIB) {
      List<Blk> blocks = block.segment.blocks;
      blocks.add(
          blocks.indexOf(block) + 1, new Blk(block.segment, block.address + rounded, remaining));
      block.bytes = rounded;
    }
    block.state = BlockState.ALLOCATED;
    block.requested = requested;
    live.add(block);
    record(TraceAction.ALLOC, block.address, requested, stream);
  }

  private Optional<Blk> bestFit(long rounded, PoolKind kind, long stream) {
    return segments.stream()
        .filter(segment -> segment.kind == kind && segment.stream == stream)
        .flatMap(segment -> segment.blocks.stream())
        .filter(block -> block.state == BlockState.INACTIVE && block.bytes >= rounded)
        .min(Comparator.<Blk>comparingLong(block -> block.bytes).thenComparingLong(b -> b.address));
  }

  private Blk acquire(long rounded, PoolKind kind, long stream) {
    Seg segment = new Seg();
    segment.bytes =
        kind == PoolKind.SMALL
            ? 2 * MIB
            : rounded < 10 * MIB ? 20 * MIB : (rounded + 2 * MIB - 1) / (2 * MIB) * (2 * MIB);
    segment.address = freeAddress();
    segment.stream = stream;
    segment.kind = kind;
    Blk whole = new Blk(segment, segment.address, segment.bytes);
    segment.blocks.add(whole);
    segments.add(segment);
    record(TraceAction.SEGMENT_ALLOC, segment.address, segment.bytes, stream);
    return whole;
  }

  private void free(Blk block) {
    block.state = BlockState.PENDING_FREE;
    record(TraceAction.FREE_REQUESTED, block.address, block.requested, block.segment.stream);
    if (random.nextInt(4) == 0) {
      pending.add(block);
    } else {
      complete(block);
    }
  }

  private void complete(Blk block) {
    block.state = BlockState.INACTIVE;
    List<Blk> blocks = block.segment.blocks;
    for (int i = blocks.size() - 1; i > 0; i--) {
      Blk below = blocks.get(i - 1);
      if (below.state == BlockState.INACTIVE && blocks.get(i).state == BlockState.INACTIVE) {
        below.bytes += blocks.remove(i).bytes;
      }
    }
    record(TraceAction.FREE_COMPLETED, block.address, block.requested, block.segment.stream);
  }

  private void emptyCache() {
    for (Seg segment : List.copyOf(segments)) {
      if (segment.blocks.size() == 1 && segment.blocks.getFirst().state == BlockState.INACTIVE) {
        segments.remove(segment);
        record(TraceAction.SEGMENT_FREE, segment.address, segment.bytes, segment.stream);
      }
    }
  }

  /**
   * An address above all segments. Addresses of released segments may be reused, as by the driver.
   */
  private long freeAddress() {
    long top = segments.stream().mapToLong(held -> held.address + held.bytes).max().orElse(BASE);
    return top + (random.nextBoolean() ? 2 * MIB : 0);
  }

  private void record(TraceAction action, long address, long bytes, long stream) {
    events.add(new Event(action, address, bytes, stream));
    states.add(segments.stream().map(HistoryModel::copy).sorted(BY_ADDRESS).toList());
  }

  private static final Comparator<Segment> BY_ADDRESS = Comparator.comparingLong(Segment::address);

  private static Segment copy(Seg segment) {
    return new Segment(
        segment.address,
        segment.bytes,
        segment.stream,
        segment.kind,
        PoolId.DEFAULT,
        false,
        StackTable.NONE,
        segment.blocks.stream()
            .map(
                block ->
                    new Block(
                        block.address,
                        block.bytes,
                        block.state == BlockState.INACTIVE ? Block.UNKNOWN : block.requested,
                        block.state,
                        StackTable.NONE))
            .toList());
  }

  public int eventCount() {
    return events.size();
  }

  /** The segments after an event; none before the first. */
  public List<Segment> state(int event) {
    return event < 0 ? List.of() : states.get(event);
  }

  /** Requested bytes of active blocks after an event. */
  public long activeBytes(int event) {
    return state(event).stream()
        .flatMap(segment -> segment.blocks().stream())
        .filter(Block::isActive)
        .mapToLong(Block::requestedBytes)
        .sum();
  }

  public long reservedBytes(int event) {
    return state(event).stream().mapToLong(Segment::bytes).sum();
  }

  /** The snapshot with a recording that starts before event {@code from}. */
  public DeviceSnapshot recordedFrom(int from) {
    Trace.Builder trace = new Trace.Builder();
    for (Event event : events.subList(from, events.size())) {
      int row = trace.add(event.action, event.address, event.bytes);
      trace.stream(row, event.stream);
    }
    return new DeviceSnapshot(0, state(eventCount() - 1), trace.build(), List.of());
  }
}
