package dev.vramscope.analysis.summary;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.List;

/** The current values of PyTorch's counters, from the segments of a state. */
final class StateCounters {
  private static final String CURRENT = ".current";

  private long allocatedBytes;
  private long allocatedCount;
  private long activeBytes;
  private long activeCount;
  private long requestedBytes;
  private boolean isRequestKnown = true;
  private long reservedBytes;
  private long segmentCount;
  private long inactiveSplitBytes;
  private long inactiveSplitCount;

  static void count(List<Segment> segments, SizeRules sizes, Counters into) {
    StateCounters small = new StateCounters();
    StateCounters large = new StateCounters();
    for (Segment segment : segments) {
      (segment.kind() == PoolKind.SMALL ? small : large).add(segment);
    }
    into.put("allocated_bytes", CURRENT, small.allocatedBytes, large.allocatedBytes);
    into.put("allocation", CURRENT, small.allocatedCount, large.allocatedCount);
    into.put("active_bytes", CURRENT, small.activeBytes, large.activeBytes);
    into.put("active", CURRENT, small.activeCount, large.activeCount);
    if (small.isRequestKnown && large.isRequestKnown) {
      into.put("requested_bytes", CURRENT, small.requestedBytes, large.requestedBytes);
    }
    into.put("reserved_bytes", CURRENT, small.reservedBytes, large.reservedBytes);
    into.put("segment", CURRENT, small.segmentCount, large.segmentCount);
    into.put("inactive_split_bytes", CURRENT, small.inactiveSplitBytes, large.inactiveSplitBytes);
    into.put("inactive_split", CURRENT, small.inactiveSplitCount, large.inactiveSplitCount);
    if (sizes.isRecorded() && sizes.maxSplitBytes().isEmpty()) {
      // Nothing is oversize while blocks of any size may be split.
      for (String column : List.of("current", "peak", "allocated", "freed")) {
        into.put("oversize_allocations." + column, 0);
        into.put("oversize_segments." + column, 0);
      }
    }
  }

  private void add(Segment segment) {
    reservedBytes += segment.bytes();
    // PyTorch counts neither expandable segments nor the remainders of splits in them.
    segmentCount += segment.expandable() ? 0 : 1;
    boolean isSplit = !segment.expandable() && segment.blocks().size() > 1;
    for (Block block : segment.blocks()) {
      if (block.isActive()) {
        activeBytes += block.bytes();
        activeCount++;
        isRequestKnown &= block.requestedBytes() != Block.UNKNOWN;
        requestedBytes += block.requestedBytes();
      } else if (isSplit) {
        inactiveSplitBytes += block.bytes();
        inactiveSplitCount++;
      }
      if (block.state() == BlockState.ALLOCATED) {
        allocatedBytes += block.bytes();
        allocatedCount++;
      }
    }
  }
}
