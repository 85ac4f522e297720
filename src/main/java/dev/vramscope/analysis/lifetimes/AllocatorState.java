package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.finding.Finding;
import java.util.List;
import java.util.Optional;

/**
 * Segments and blocks of a device at a moment, reconstructed from the final state.
 *
 * <p>Later segment events are undone, and the allocations that are live at the moment are placed
 * into the segments. The gaps are free blocks, because adjacent free blocks are always coalesced. A
 * trace records requested sizes, so block sizes are computed by {@link SizeRules}, except for
 * blocks that are still in the final state. A free block of a large segment is always larger than 1
 * MiB, so a smaller gap belongs to the block before it. Up to 1 MiB of a wider gap may belong to
 * that block too; these bytes are counted as ambiguous.
 *
 * <p>The chunks of a BFC allocator follow from its rules, if the whole run is recorded.
 *
 * @param event the moment: after this event
 * @param segments in address order; blocks tile them
 * @param estimatedBlockCount number of active blocks whose size is not certain
 * @param ambiguousBytes upper limit of the bytes shown as free that may belong to the block before
 *     them
 * @param findings inconsistencies between the events and the final state
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

  /** The state after an event, or before the first for {@link Lifetimes#BEFORE_RECORDING}. */
  public static AllocatorState at(
      DeviceSnapshot device, Lifetimes lifetimes, SizeRules sizes, int event) {
    if (event < Lifetimes.BEFORE_RECORDING || event >= Math.max(1, device.trace().size())) {
      throw new IllegalArgumentException(
          "event " + event + " is not in a trace of " + device.trace().size() + " events");
    }
    if (device.facts().family().isBfc()) {
      Optional<AllocatorState> pool = lifetimes.pool(device).at(event);
      if (pool.isPresent()) {
        return pool.get();
      }
    }
    SegmentMap segments = SegmentMap.at(device, sizes, event);
    return new BlockLayout(lifetimes, sizes, event, segments).state();
  }

  /** The final state, as recorded. */
  public static AllocatorState end(DeviceSnapshot device) {
    return new AllocatorState(device.trace().size() - 1, device.segments(), 0, 0, List.of());
  }

  public long reservedBytes() {
    return segments.stream().mapToLong(Segment::bytes).sum();
  }
}
