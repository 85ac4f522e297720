package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Finding;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.List;

/**
 * Segments and blocks of a device at a moment, walked back from the final state.
 *
 * <p>Segment events after the moment are undone; the allocations alive at the moment are laid into
 * the segments; the gaps are free blocks, since free neighbours are always coalesced. A trace
 * records requested sizes, so a block's size is recovered by {@link SizeRules}, except for blocks
 * that the final state still shows. In a large segment a free block is always above 1 MiB, so a
 * smaller gap belongs to the block before it; of a wider gap up to 1 MiB may, and is counted as
 * ambiguous.
 *
 * @param event the moment: after this event
 * @param segments in address order; blocks tile them
 * @param estimatedBlockCount active blocks whose size could not be recovered for certain
 * @param ambiguousBytes bytes shown as free that may belong to the block before them, at most
 * @param findings what did not fit together
 */
public record AllocatorState(
    int event,
    List<Segment> segments,
    long estimatedBlockCount,
    long ambiguousBytes,
    List<Finding> findings) {
  public AllocatorState {
    segments = List.copyOf(segments);
    findings = List.copyOf(findings);
  }

  /** The state after an event; {@link Lifetimes#BEFORE_RECORDING} for before the first. */
  public static AllocatorState at(
      DeviceSnapshot device, Lifetimes lifetimes, SizeRules sizes, int event) {
    if (event < Lifetimes.BEFORE_RECORDING || event >= Math.max(1, device.trace().size())) {
      throw new IllegalArgumentException(
          "no event " + event + " in a trace of " + device.trace().size());
    }
    SegmentMap segments = SegmentMap.at(device, sizes, event);
    return new BlockLayout(lifetimes, sizes, event, segments).state();
  }

  /** The state as the file shows it. */
  public static AllocatorState end(DeviceSnapshot device) {
    return new AllocatorState(device.trace().size() - 1, device.segments(), 0, 0, List.of());
  }

  public long reservedBytes() {
    return segments.stream().mapToLong(Segment::bytes).sum();
  }
}
