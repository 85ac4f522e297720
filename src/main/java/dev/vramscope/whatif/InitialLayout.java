package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.RestoredSegment;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reconstructs the {@link InitialState} of a recording.
 *
 * <p>{@link AllocatorState} undoes all events. What remains unknown are the sizes of blocks that
 * were freed in the recording, because a free records the requested size only: {@link BlockEnds}
 * finds most of them from the placements.
 *
 * <p>The runs of mapped pages of a stream and pool are one expandable segment, as far as they fit
 * into one reservation: an allocator reserves a second one only when the first is full. It is
 * assumed to start at its lowest page.
 */
final class InitialLayout {
  /** A page table has an entry for each page up to the last one, so this limits its size. */
  private static final long MAX_RESERVED_BYTES = 16L << 40;

  private record Owner(long stream, PoolKind kind, PoolId pool) {}

  private final DeviceSnapshot device;
  private final StreamNumbers streams;
  private final SizeRules sizes;
  private final long reservationBytes;
  private final List<RestoredSegment> restored = new ArrayList<>();
  private final Map<Owner, List<Segment>> runs = new LinkedHashMap<>();
  private long reservedBytes;
  private long dropped;

  private InitialLayout(
      DeviceSnapshot device, StreamNumbers streams, SizeRules sizes, long deviceBytes) {
    this.device = device;
    this.streams = streams;
    this.sizes = sizes;
    reservationBytes = deviceBytes + deviceBytes / 8;
  }

  static InitialState of(
      DeviceSnapshot device,
      Lifetimes lifetimes,
      StreamNumbers streams,
      SizeRules sizes,
      long deviceBytes) {
    return new InitialLayout(device, streams, sizes, deviceBytes).reconstruct(lifetimes);
  }

  private InitialState reconstruct(Lifetimes lifetimes) {
    AllocatorState state = AllocatorState.at(device, lifetimes, sizes, Lifetimes.BEFORE_RECORDING);
    BlockEnds ends = new BlockEnds(device.trace(), lifetimes, sizes, state.segments());
    for (Segment segment : ends.segments()) {
      if (!isRestorable(segment)) {
        dropped++;
      } else if (segment.expandable()) {
        Owner owner = new Owner(segment.stream(), segment.kind(), segment.pool());
        runs.computeIfAbsent(owner, _ -> new ArrayList<>()).add(segment);
      } else {
        restored.add(restored(segment.address(), segment, segment.blocks()));
      }
    }
    runs.values().forEach(this::join);
    return new InitialState(restored, ends.uncertain(), dropped);
  }

  private boolean isRestorable(Segment segment) {
    return ScriptedDevice.isRecordable(segment.address(), segment.bytes())
        && segment.bytes() % SizeRules.MIN_BLOCK_BYTES == 0
        && segment.address() % SizeRules.MIN_BLOCK_BYTES == 0
        && !segment.blocks().isEmpty()
        && segment.blocks().stream()
            .allMatch(block -> block.bytes() % SizeRules.MIN_BLOCK_BYTES == 0)
        && (!segment.expandable() || segment.bytes() % sizes.pageBytes(segment.kind()) == 0);
  }

  /** Joins runs of one owner, which are in address order, to reservations. */
  private void join(List<Segment> owned) {
    long page = sizes.pageBytes(owned.getFirst().kind());
    int first = 0;
    for (int i = 1; i <= owned.size(); i++) {
      if (i < owned.size() && isInReservation(owned.get(first).address(), owned.get(i), page)) {
        continue;
      }
      List<Segment> joined = owned.subList(first, i);
      List<Block> blocks = new ArrayList<>();
      joined.forEach(run -> blocks.addAll(run.blocks()));
      reservedBytes += joined.getLast().end() - joined.getFirst().address();
      restored.add(restored(joined.getFirst().address(), joined.getFirst(), blocks));
      first = i;
    }
  }

  private boolean isInReservation(long start, Segment run, long page) {
    return run.end() - start <= reservationBytes
        && (run.address() - start) % page == 0
        && reservedBytes + run.end() - start <= MAX_RESERVED_BYTES;
  }

  private RestoredSegment restored(long address, Segment segment, List<Block> blocks) {
    return new RestoredSegment(
        address,
        streams.of(segment.stream()),
        segment.kind(),
        segment.pool(),
        segment.expandable(),
        blocks);
  }
}
