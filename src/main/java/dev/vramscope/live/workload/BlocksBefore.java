package dev.vramscope.live.workload;

import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was alive before a trace's first event, as far as it can be known: blocks that the trace
 * frees without having allocated them, and blocks that are there in the end and do not occur in it.
 * A block that was allocated and freed before the first event is nowhere recorded, and gone.
 */
final class BlocksBefore {
  /**
   * A block.
   *
   * @param bytes what was asked for where that is known, else the block's size
   * @param pool null when it was not recorded
   * @param stack where it was allocated, when that is known
   */
  record Before(long address, long bytes, long stream, @Nullable PoolId pool, int stack) {}

  private final List<Before> blocks = new ArrayList<>();

  /** Addresses that the trace speaks of: what lies there in the end is told by the trace. */
  private final Set<Long> known = new HashSet<>();

  private BlocksBefore() {}

  /** The blocks in address order: what lay side by side is allocated one after the other. */
  static List<Before> of(DeviceSnapshot device) {
    BlocksBefore before = new BlocksBefore();
    before.read(device.trace());
    device.segments().forEach(before::read);
    before.blocks.sort(Comparator.comparing(Before::address, Long::compareUnsigned));
    return before.blocks;
  }

  private void read(Trace trace) {
    for (int event = 0; event < trace.size(); event++) {
      long address = trace.address(event);
      TraceAction action = trace.action(event);
      boolean ends = action == TraceAction.FREE_REQUESTED || action == TraceAction.FREE_COMPLETED;
      if ((action == TraceAction.ALLOC || ends) && known.add(address) && ends) {
        blocks.add(
            new Before(
                address,
                trace.bytes(event),
                trace.stream(event),
                trace.pool(event),
                StackTable.NONE));
      }
    }
  }

  private void read(Segment segment) {
    for (Block block : segment.blocks()) {
      if (block.isActive() && known.add(block.address())) {
        boolean asked = block.requestedBytes() != Block.UNKNOWN;
        blocks.add(
            new Before(
                block.address(),
                asked ? block.requestedBytes() : block.bytes(),
                segment.stream(),
                segment.pool(),
                block.stack()));
      }
    }
  }
}
