package dev.vramscope.analysis.lifetimes;

import static dev.vramscope.analysis.lifetimes.Lifetimes.BEFORE_RECORDING;
import static dev.vramscope.analysis.lifetimes.Lifetimes.NEVER;
import static dev.vramscope.analysis.lifetimes.Lifetimes.UNKNOWN;

import dev.vramscope.analysis.lifetimes.Lifetimes.EarlierAllocation;
import dev.vramscope.analysis.lifetimes.Lifetimes.FinalBlock;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.IntColumn;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Builds {@link Lifetimes} by scanning the trace forwards, with a table of the latest allocation at
 * every address, and then the blocks of the final state.
 *
 * <p>A free of an address without an allocation event belongs to an allocation from before the
 * recording, unless its segment was acquired during the recording. An active block of the final
 * state without any event is such an allocation, too. Other mismatches are counted in {@link
 * Contradictions}.
 *
 * <p>During the scan, an allocation has a code: 1, 2, … for those allocated in the trace, in event
 * order; -1, -2, … for those from before the recording.
 */
final class LifetimeScan {
  private final DeviceSnapshot device;
  private final Trace trace;
  private final boolean requestsRecorded;
  private final boolean completionsRecorded;
  private final AddressTable latest;
  private final TreeMap<Long, Long> acquired = new TreeMap<>(Long::compareUnsigned);
  private final List<EarlierAllocation> earlier = new ArrayList<>();
  private final IntColumn.Builder allocated = new IntColumn.Builder();
  private final IntColumn.Builder freeRequested = new IntColumn.Builder();
  private final IntColumn.Builder freeCompleted = new IntColumn.Builder();
  private final IntColumn.Builder end = new IntColumn.Builder();
  private final List<FinalBlock> finalBlocks = new ArrayList<>();
  private final Contradictions contradictions = new Contradictions();

  LifetimeScan(DeviceSnapshot device) {
    this.device = device;
    trace = device.trace();
    boolean requests = false;
    boolean completions = false;
    for (int event = 0; event < trace.size() && !(requests && completions); event++) {
      requests |= trace.action(event) == TraceAction.FREE_REQUESTED;
      completions |= trace.action(event) == TraceAction.FREE_COMPLETED;
    }
    requestsRecorded = requests;
    completionsRecorded = completions;
    latest = new AddressTable(trace.size() / 16);
  }

  Lifetimes run() {
    for (int event = 0; event < trace.size(); event++) {
      switch (trace.action(event)) {
        case ALLOC -> allocated(event);
        case FREE_REQUESTED -> freeRequested(event);
        case FREE_COMPLETED -> freeCompleted(event);
        case SEGMENT_ALLOC, SEGMENT_MAP ->
            acquired.put(trace.address(event), trace.address(event) + trace.bytes(event));
        default -> {
          // Neither allocates nor frees a block.
        }
      }
    }
    matchFinalBlocks();
    long unnamed = unnamedBytes();
    if (unnamed > 0) {
      // Without an address, which no event gives; 0 sorts it before all others that stay live.
      earlier.add(
          new EarlierAllocation(
              0, unnamed, UNKNOWN, NEVER, NEVER, NEVER, StackTable.NONE, 0, /* pool= */ null));
    }
    earlier.sort(
        Comparator.comparingInt(EarlierAllocation::end)
            .reversed()
            .thenComparing(EarlierAllocation::address, Long::compareUnsigned));
    finalBlocks.sort(Comparator.comparingInt(FinalBlock::index));
    return new Lifetimes(
        trace,
        earlier,
        allocated.build(),
        freeRequested.build(),
        freeCompleted.build(),
        end.build(),
        finalBlocks,
        contradictions.findings(),
        unnamed);
  }

  /** What the allocator's own total has beyond the earlier allocations that the trace frees. */
  private long unnamedBytes() {
    long named = earlier.stream().mapToLong(EarlierAllocation::requestedBytes).sum();
    return device
        .facts()
        .totals()
        .map(totals -> Math.max(0, totals.allocatedBefore() - named))
        .orElse(0L);
  }

  private void allocated(int event) {
    allocated.add(event);
    freeRequested.add(NEVER);
    freeCompleted.add(NEVER);
    end.add(NEVER);
    int previous = latest.put(trace.address(event), allocated.size());
    if (previous != 0 && end(previous) == NEVER) {
      int requested = freeRequestedOf(previous);
      if (requested == NEVER) {
        contradictions.allocatedWhileLive++;
        end(previous, event);
      } else {
        contradictions.completionsMissing++;
        end(previous, requested);
      }
    }
  }

  private void freeRequested(int event) {
    int code = latest.get(trace.address(event));
    int ends = completionsRecorded ? NEVER : event;
    if (code == 0) {
      freedEarlierAllocation(event, event, NEVER, ends);
    } else if (end(code) != NEVER) {
      contradictions.freesWithoutAllocation++;
    } else if (freeRequestedOf(code) != NEVER) {
      contradictions.freedTwice++;
    } else {
      update(code, event, NEVER, ends);
    }
  }

  private void freeCompleted(int event) {
    int code = latest.get(trace.address(event));
    if (code == 0) {
      freedEarlierAllocation(event, requestsRecorded ? BEFORE_RECORDING : NEVER, event, event);
    } else if (end(code) != NEVER) {
      contradictions.freesWithoutAllocation++;
    } else {
      int requested = freeRequestedOf(code);
      if (requested == NEVER && requestsRecorded) {
        contradictions.requestsMissing++;
      }
      update(code, requested, event, event);
    }
  }

  private void freedEarlierAllocation(int event, int requested, int completed, int ends) {
    long address = trace.address(event);
    if (isAcquiredInTrace(address)) {
      contradictions.freesWithoutAllocation++;
      return;
    }
    // The event has the stack of the free; the stack of the allocation is unknown.
    earlier.add(
        new EarlierAllocation(
            address,
            trace.bytes(event),
            UNKNOWN,
            requested,
            completed,
            ends,
            StackTable.NONE,
            trace.stream(event),
            trace.pool(event)));
    latest.put(address, -earlier.size());
  }

  private boolean isAcquiredInTrace(long address) {
    Map.Entry<Long, Long> below = acquired.floorEntry(address);
    return below != null && Long.compareUnsigned(address, below.getValue()) < 0;
  }

  private void matchFinalBlocks() {
    boolean[] isInFinalState = new boolean[allocated.size()];
    for (Segment segment : device.segments()) {
      for (Block block : segment.blocks()) {
        if (block.isActive()) {
          int code = latest.get(block.address());
          if (code != 0 && endedTooEarly(code, block)) {
            end(code, NEVER);
          }
          if (code == 0) {
            liveThroughout(segment, block);
          } else if (end(code) != NEVER) {
            contradictions.activeThoughFreed++;
          } else if (code > 0) {
            isInFinalState[code - 1] = true;
            finalBlocks.add(new FinalBlock(code - 1, block.bytes(), segment.pool()));
            compareSizes(trace.bytes(allocated.get(code - 1)), block);
          } else {
            stillPending(-code - 1, segment, block);
          }
        }
      }
    }
    if (!device.segments().isEmpty()) {
      endMissingAllocations(isInFinalState);
    }
  }

  /**
   * If completions are not recorded, a requested free ends a lifetime unless the block is still
   * pending.
   */
  private boolean endedTooEarly(int code, Block block) {
    return !completionsRecorded
        && block.state() == BlockState.PENDING_FREE
        && end(code) == freeRequestedOf(code);
  }

  private void liveThroughout(Segment segment, Block block) {
    if (isAcquiredInTrace(block.address())) {
      contradictions.blocksWithoutEvents++;
    }
    earlier.add(
        new EarlierAllocation(
            block.address(),
            block.requestedBytes() == Block.UNKNOWN ? UNKNOWN : block.requestedBytes(),
            block.bytes(),
            block.state() == BlockState.PENDING_FREE ? BEFORE_RECORDING : NEVER,
            NEVER,
            NEVER,
            block.stack(),
            segment.stream(),
            segment.pool()));
  }

  /** Allocated before the recording, freed in it, and still waiting for a stream at the end. */
  private void stillPending(int index, Segment segment, Block block) {
    EarlierAllocation allocation = earlier.get(index);
    compareSizes(allocation.requestedBytes(), block);
    earlier.set(
        index,
        new EarlierAllocation(
            allocation.address(),
            allocation.requestedBytes(),
            block.bytes(),
            allocation.freeRequested(),
            NEVER,
            NEVER,
            block.stack(),
            segment.stream(),
            segment.pool()));
  }

  private void compareSizes(long bytes, Block block) {
    if (block.requestedBytes() != Block.UNKNOWN && block.requestedBytes() != bytes) {
      contradictions.sizesDiffer++;
    }
  }

  /**
   * The final state is complete, so an allocation that is not in it has ended. It ends at its
   * requested free; without one, it is only counted.
   */
  private void endMissingAllocations(boolean[] isInFinalState) {
    for (int code = -earlier.size(); code <= allocated.size(); code++) {
      if (code == 0 || end(code) != NEVER) {
        continue;
      }
      boolean isLive =
          code > 0 ? isInFinalState[code - 1] : earlier.get(-code - 1).allocatedBytes() != UNKNOWN;
      if (!isLive) {
        int requested = freeRequestedOf(code);
        if (requested == NEVER) {
          contradictions.missingInFinalState++;
        } else {
          contradictions.completionsMissing++;
          end(code, requested);
        }
      }
    }
  }

  private int freeRequestedOf(int code) {
    return code > 0 ? freeRequested.get(code - 1) : earlier.get(-code - 1).freeRequested();
  }

  private int end(int code) {
    return code > 0 ? end.get(code - 1) : earlier.get(-code - 1).end();
  }

  private void end(int code, int event) {
    int completed = code > 0 ? freeCompleted.get(code - 1) : earlier.get(-code - 1).freeCompleted();
    update(code, freeRequestedOf(code), completed, event);
  }

  private void update(int code, int requested, int completed, int ends) {
    if (code > 0) {
      freeRequested.set(code - 1, requested);
      freeCompleted.set(code - 1, completed);
      end.set(code - 1, ends);
    } else {
      EarlierAllocation old = earlier.get(-code - 1);
      earlier.set(
          -code - 1,
          new EarlierAllocation(
              old.address(),
              old.requestedBytes(),
              old.allocatedBytes(),
              requested,
              completed,
              ends,
              old.stack(),
              old.stream(),
              old.pool()));
    }
  }
}
